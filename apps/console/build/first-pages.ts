// Limits of the first pages: the build fails when the sign-in page grows too large, or when either needs schemas.
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'
import { isSchemas } from './contract-for-browser.ts'

/** Sum of all scripts that the sign-in page waits for, compressed. At Slow 4G that is a second of the four until it is painted. */
const LIMIT_BYTES = 180_000

/** Loaded with the first form or dialog that checks by it. */
const isForForms = (id: string): boolean => /\/node_modules\/zod\//.test(id) || isSchemas(id)

/** The part of a chunk of the packer that is judged here. */
export interface Chunk {
  readonly name: string
  readonly fileName: string
  readonly isEntry: boolean
  readonly code: string
  /** The files that are imported with it, without those loaded later. */
  readonly imports: readonly string[]
  readonly moduleIds: readonly string[]
}

/** The chunks, and all that they need before they run. */
function withNeeded(first: readonly Chunk[], chunks: readonly Chunk[]): Chunk[] {
  const needed = new Set(first)
  for (const chunk of needed)
    for (const other of chunks) if (chunk.imports.includes(other.fileName)) needed.add(other)
  return [...needed]
}

/** Faults of the chunks that the sign-in page and the list of units need before they run. */
export function faultsOfFirstPages(chunks: readonly Chunk[], limitBytes = LIMIT_BYTES): string[] {
  const ofSignIn = withNeeded(
    chunks.filter(({ isEntry }) => isEntry),
    chunks,
  )
  const ofList = withNeeded(
    chunks.filter(({ name }) => name === 'list'),
    chunks,
  )
  const bytes = ofSignIn.reduce((sum, { code }) => sum + gzipSync(code).length, 0)
  const names = ofSignIn.map(({ fileName }) => fileName).join(', ')
  return [
    ...[...new Set([...ofSignIn, ...ofList])].flatMap(({ fileName, moduleIds }) =>
      moduleIds.filter(isForForms).map((id) => `${fileName} has ${id}`),
    ),
    ...(bytes > limitBytes ? [`${names}: ${bytes} bytes compressed, ${limitBytes} are allowed`] : []),
  ]
}

export function firstPages(): Plugin {
  return {
    name: 'first-pages',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
      const faults = faultsOfFirstPages(chunks)
      if (faults.length > 0)
        this.error(`The first pages wait for too much.\n${faults.slice(0, 10).join('\n')}`)
    },
  }
}
