// The thread of one run of a style sheet. It is thrown away afterwards: after an error the processor cannot be used again.
import fs from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'

export interface StyleSheetWork {
  xml: string
  styleSheet: string
}

export type StyleSheetAnswer = { result: string } | { error: string; isSource: boolean }

const pagesAtMost = 4096
const charactersAtMost = 4 * 1024 * 1024
const { xml, styleSheet } = workerData as StyleSheetWork

// The processor is built without a file system; `document()` would call this.
globalThis.fetch = () => Promise.reject(new Error('A mapping file must not read other files'))

interface MemorySize {
  maximum?: number
}
const engine = (globalThis as unknown as { WebAssembly: { Memory: new (size: MemorySize) => object } })
  .WebAssembly
/** 256 MB instead of the 2 GB that the processor would take. */
engine.Memory = class extends engine.Memory {
  constructor({ maximum = pagesAtMost, ...size }: MemorySize) {
    super({ ...size, maximum: Math.min(maximum, pagesAtMost) })
  }
}

/** The processor writes its messages to the error output of the whole process. */
const messages: string[] = []
fs.writeSync = ((_: number, text: unknown) => {
  messages.push(String(text).trim())
  return 0
}) as typeof fs.writeSync

const answer = (one: StyleSheetAnswer) => parentPort?.postMessage(one)
/** The first messages name the place and the fault. */
const faultOf = (error: unknown): string =>
  messages.length > 0 ? messages.slice(0, 2).join('; ') : (error as Error).message

const { XmlDocument, XsltStylesheet } = await import('libxslt-wasm')

/** The encoding named in the text applies to the original bytes. */
function parsed(text: string) {
  return XmlDocument.fromString(text, { encoding: 'UTF-8' })
}

async function run(): Promise<StyleSheetAnswer> {
  const source = await parsed(xml).catch((error: unknown) => ({ error: faultOf(error), isSource: true }))
  if ('error' in source) return source
  try {
    const sheet = await XsltStylesheet.fromXmlDocument(await parsed(styleSheet))
    const result = sheet.applyToString(await sheet.apply(source))
    // An unknown instruction is reported and left out.
    if (messages.some((line) => /^(compilation|runtime) error/.test(line)))
      return { error: faultOf(undefined), isSource: false }
    if (result.length > charactersAtMost) return { error: 'the result is too large', isSource: false }
    return { result }
  } catch (error) {
    return { error: faultOf(error), isSource: false }
  }
}

answer(await run())
