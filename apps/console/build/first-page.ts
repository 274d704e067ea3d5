// Size limit of the sign-in page: the build fails when it grows beyond that.
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** Sum of all scripts that the first page waits for, compressed. At Slow 4G that is a second of the four until it is painted. */
const LIMIT_BYTES = 180_000
/** Loaded with the first form or dialog that checks by it. */
const forbidden = /\/node_modules\/zod\//

/** The part of a chunk of the packer that is judged here. */
export interface Chunk {
  readonly fileName: string
  readonly isEntry: boolean
  readonly code: string
  /** The files that are imported with it, without those loaded later. */
  readonly imports: readonly string[]
  readonly moduleIds: readonly string[]
}

/** Faults of the chunks that an entry needs before it runs. */
export function faultsOfFirstPage(chunks: readonly Chunk[], limitBytes = LIMIT_BYTES): string[] {
  const needed = new Set(chunks.filter(({ isEntry }) => isEntry))
  for (const chunk of needed)
    for (const other of chunks) if (chunk.imports.includes(other.fileName)) needed.add(other)
  const bytes = [...needed].reduce((sum, { code }) => sum + gzipSync(code).length, 0)
  const names = [...needed].map(({ fileName }) => fileName).join(', ')
  return [
    ...[...needed].flatMap(({ fileName, moduleIds }) =>
      moduleIds.filter((id) => forbidden.test(id)).map((id) => `${fileName} has ${id}`),
    ),
    ...(bytes > limitBytes ? [`${names}: ${bytes} bytes compressed, ${limitBytes} are allowed`] : []),
  ]
}

export function firstPage(): Plugin {
  return {
    name: 'first-page',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
      const faults = faultsOfFirstPage(chunks)
      if (faults.length > 0) this.error(`Signing in waits for too much.\n${faults.slice(0, 10).join('\n')}`)
    },
  }
}
