// Limits of the first pages: the build fails when one of them grows too large, needs schemas, or lacks the text of a reason.
import { brotliCompressSync } from 'node:zlib'
import { refusals } from '@backhaul/contract/define/refusals/all'
import type { Plugin } from 'vite'
import { isSchemas } from './contract-for-browser.ts'
import { reasonsAtHand } from './reasons-at-hand.ts'

/** Sum of all scripts that a page waits for, as core sends them. At Slow 4G that is a second of the four until it is painted. */
const LIMIT_BYTES = 173_000

/** The chunks that each page needs before it runs, in addition to the entry: see chunks in vite.config.ts. */
const pages = ['sign-in', 'list']

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

/** Codes of reasons that a script mentions and whose text does not come with it. */
const codesWithoutText = (code: string): string[] =>
  [...code.matchAll(/["'`](\w+\.\w+)["'`]/g)].flatMap(([, text = '']) =>
    text in refusals && !reasonsAtHand.some((one) => one === text) ? [text] : [],
  )

/** Faults of the chunks that the sign-in page and the list of units need before they run. */
export function faultsOfFirstPages(chunks: readonly Chunk[], limitBytes = LIMIT_BYTES): string[] {
  const first = pages.map((page) =>
    withNeeded(
      chunks.filter(({ isEntry, name }) => isEntry || name === page),
      chunks,
    ),
  )
  const tooLarge = first.flatMap((needed) => {
    const bytes = needed.reduce((sum, { code }) => sum + brotliCompressSync(code).length, 0)
    const names = needed.map(({ fileName }) => fileName).join(', ')
    return bytes > limitBytes ? [`${names}: ${bytes} bytes compressed, ${limitBytes} are allowed`] : []
  })
  const inFirst = [...new Set(first.flat())]
  return [
    ...inFirst.flatMap(({ fileName, moduleIds }) =>
      moduleIds.filter(isForForms).map((id) => `${fileName} has ${id}`),
    ),
    ...inFirst.flatMap(({ fileName, code }) =>
      [...new Set(codesWithoutText(code))].map(
        (reason) => `${fileName} mentions ${reason}, see reasons-at-hand.ts`,
      ),
    ),
    ...tooLarge,
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
