// The list of files that were taken from the ingest folder and may be partly left there: kept over a restart, so that no file is taken
// twice, and no document is taken for that of another file.
import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Taken {
  /** Compared only for equality: another file may have the name by now. */
  readonly state: string
  /** While the copy gets its name: the path, and the state of the copy, since another file may get the path first. */
  readonly naming?: { readonly target: string; readonly copy: string }
  /** While it becomes the file at this path, without a copy: its document, in this state, is removed after it. */
  readonly moving?: { readonly target: string; readonly document: string | undefined }
}

export interface TakenList {
  get(path: Buffer): Taken | undefined
  paths(): readonly Buffer[]
  /** The list is on the disk when this resolves. */
  add(path: Buffer, taken: Taken): Promise<void>
  remove(path: Buffer): Promise<void>
}

export function openTakenList(dataFolder: string): TakenList {
  const list = join(dataFolder, 'ingested.json')
  let all: Readonly<Record<string, Taken>> = {}
  try {
    all = JSON.parse(readFileSync(list, 'utf8')) as typeof all
  } catch {
    // The first start.
  }

  async function write(next: typeof all): Promise<void> {
    all = next
    await writeFile(`${list}.new`, JSON.stringify(all), { flush: true })
    await rename(`${list}.new`, list)
  }

  return {
    get: (path) => all[path.toString('hex')],
    paths: () => Object.keys(all).map((key) => Buffer.from(key, 'hex')),
    add: (path, taken) => write({ ...all, [path.toString('hex')]: taken }),
    async remove(path) {
      const { [path.toString('hex')]: gone, ...rest } = all
      if (gone) await write(rest)
    },
  }
}
