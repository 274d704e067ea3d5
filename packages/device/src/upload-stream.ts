/** The two ends of an upload through a tunnel: lines of JSON and the bytes of the file in one stream (gateway/uploads.ts). */
import { createHash } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { isRefusalCode } from '@backhaul/contract/define/refusals'
import {
  UPLOAD_LINE_BYTES,
  UploadEnd,
  UploadSource,
  UploadStart,
  UploadSum,
} from '@backhaul/contract/gateway/uploads'
import type { z } from 'zod'
import { cutReason, Refused, wordingOfError } from './refused.ts'
import type { OpenFile } from './unit-hardware.ts'

const PART_BYTES = 128 * 1024
const LINE_FEED = 0x0a

/** Reads a stream. Every method rejects with `upload.interrupted` when the stream ends before. */
interface StreamReader {
  /** Rejects with `upload.badRequest` for a line that is too long, or not of this shape. */
  line<T>(schema: z.ZodType<T>): Promise<T>
  bytes(count: number): AsyncGenerator<Buffer>
}

/** `signal` ends what is being read with its reason. */
function createStreamReader(stream: Duplex, signal: AbortSignal): StreamReader {
  const pieces: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]()
  let abort = () => {}
  signal.addEventListener('abort', () => abort(), { once: true })
  let rest: Buffer = Buffer.alloc(0)

  async function more(): Promise<Buffer> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
    abort = () => reject(signal.reason)
    const interrupt = () => reject(new Refused('upload.interrupted'))
    pieces.next().then(({ done, value }) => (done ? interrupt() : resolve(value)), interrupt)
    return await promise
  }

  async function line(): Promise<string> {
    let at = rest.indexOf(LINE_FEED)
    while (at < 0) {
      if (rest.length > UPLOAD_LINE_BYTES) throw new Refused('upload.badRequest')
      rest = Buffer.concat([rest, await more()])
      at = rest.indexOf(LINE_FEED)
    }
    const text = rest.toString('utf8', 0, at)
    rest = rest.subarray(at + 1)
    return text
  }

  return {
    async line(schema) {
      const text = await line()
      const read = schema.safeParse(jsonOf(text))
      if (!read.success) throw new Refused('upload.badRequest')
      return read.data
    },
    async *bytes(count) {
      let missing = count
      while (missing > 0) {
        const piece = rest.length > 0 ? rest : await more()
        const own = piece.subarray(0, missing)
        rest = piece.subarray(own.length)
        missing -= own.length
        yield own
      }
    },
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function writeLine(stream: Duplex, message: object): Promise<void> {
  await write(stream, Buffer.from(`${JSON.stringify(message)}\n`))
}

/** Resolves when the stream takes more; rejects when it is closed. */
async function write(stream: Duplex, bytes: Uint8Array): Promise<void> {
  if (stream.destroyed) throw new Refused('upload.interrupted')
  if (stream.write(bytes)) return
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const event of ['drain', 'close']) stream.once(event, resolve)
  await promise
  for (const event of ['drain', 'close']) stream.off(event, resolve)
  if (stream.destroyed) throw new Refused('upload.interrupted')
}

/** Reports the result to the unit, which may be gone. */
async function reportEnd(stream: Duplex, error?: unknown): Promise<void> {
  const why = error === undefined ? {} : cutReason(wordingOfError(error))
  await writeLine(stream, why).catch(() => {})
  stream.end()
}

/**
 * The unit's end. Resolves when the server has stored the file and its checksum; rejects with its reason, or with
 * `upload.interrupted`.
 */
export async function sendThroughStream(stream: Duplex, file: OpenFile, signal: AbortSignal): Promise<void> {
  const { sizeBytes, modifiedMs } = file
  const reader = createStreamReader(stream, signal)
  await writeLine(stream, UploadSource.parse({ sizeBytes, modifiedMs }))
  const start = await reader.line(UploadStart.partial().extend(UploadEnd.shape))
  if (start.from === undefined) throw refusalOf(start)
  // The server may end it at any time.
  const ended = reader.line(UploadEnd)
  ended.catch(() => {})
  const sending = sendFrom(start.from, stream, file, signal)
  sending.catch(() => {})
  await Promise.race([sending, ended.then(throwRefusal)])
  throwRefusal(await ended)
}

async function sendFrom(from: number, stream: Duplex, file: OpenFile, signal: AbortSignal): Promise<void> {
  const sum = createFollowingSum(file)
  for (let at = from; at < file.sizeBytes; ) {
    signal.throwIfAborted()
    const part = await read(file, at)
    await write(stream, part)
    at += part.length
    sum.follow(at)
  }
  await writeLine(stream, { sha256: await sum.whole() })
}

/** Rejects when the file has become shorter. */
async function read(file: OpenFile, at: number): Promise<Uint8Array> {
  const part = await file.read(at, Math.min(PART_BYTES, file.sizeBytes - at))
  if (part.length === 0) throw new Refused('upload.shorter')
  return part
}

/** The checksum of all of a file while it is sent, also of what was sent before. */
export function createFollowingSum(file: OpenFile) {
  const hash = createHash('sha256')
  let summed = 0
  let target = 0
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    while (summed < target) {
      const part = await read(file, summed)
      hash.update(part)
      summed += part.length
    }
    running = undefined
  }

  function follow(to: number): Promise<void> {
    target = to
    running ??= run()
    running.catch(() => {})
    return running
  }

  return {
    follow: (to: number) => void follow(to),
    async whole(): Promise<string> {
      while (summed < file.sizeBytes) await follow(file.sizeBytes)
      return hash.digest('hex')
    },
  }
}

function throwRefusal(end: z.infer<typeof UploadEnd>): void {
  if (end.reason !== undefined || end.cause !== undefined) throw refusalOf(end)
}

function refusalOf({ reason, cause }: z.infer<typeof UploadEnd>): Error {
  if (cause && isRefusalCode(cause.code)) return new Refused({ code: cause.code, params: cause.params ?? {} })
  return new Error(reason ?? 'The server refused the file.')
}

/** The server's end, once a stream is there. */
export interface StreamTaking {
  /** The byte from which to continue, given the file that the unit has named. */
  begin(source: UploadSource): Promise<number>
  /** Stores the missing bytes; `sum` resolves with the unit's checksum of the whole file once they have come. */
  store(content: AsyncGenerator<Buffer>, from: number, sum: () => Promise<string>): Promise<void>
}

/** Resolves when the file is stored and the unit was notified; rejects with the reason, of which the unit is notified as well. */
export async function takeFromStream(
  stream: Duplex,
  { begin, store }: StreamTaking,
  signal: AbortSignal,
): Promise<void> {
  const reader = createStreamReader(stream, signal)
  try {
    const source = await reader.line(UploadSource)
    const from = await begin(source)
    await writeLine(stream, { from })
    const sum = async () => (await reader.line(UploadSum)).sha256
    await store(reader.bytes(source.sizeBytes - from), from, sum)
  } catch (error) {
    await reportEnd(stream, error)
    throw error
  }
  await reportEnd(stream)
}
