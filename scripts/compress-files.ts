// Writes the compressed forms of files next to them, for a server that gives each browser the form that it requests.
import { readdirSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'

/** Fonts and pictures are compressed already; source maps are for developers on the local network. */
const shrinks = /\.(js|css|html|svg|json)$/

/** Smaller files fit one packet anyway. */
const bytesAtLeast = 1000

/** Every file below the folder that becomes smaller, as `name.br` and `name.gz`. */
export async function compressFiles(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => shrinks.test(name))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).size >= bytesAtLeast)
  await Promise.all(
    files.map(async (path) => {
      const whole = await readFile(path)
      await writeFile(`${path}.br`, await promisify(brotliCompress)(whole))
      await writeFile(`${path}.gz`, await promisify(gzip)(whole, { level: 9 }))
    }),
  )
}
