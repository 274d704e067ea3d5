// HLS for players: each stream under a key of its own, which is a part of its address.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isSameKey } from '../intake/input.ts'
import { refuse } from '../web/answers.ts'
import type { Fragment } from './fragments.ts'
import { createHlsStream, type HlsStream } from './hls-stream.ts'
import type { Mp4Tracks } from './mp4-boxes.ts'
import { mediaPlaylist, multivariantPlaylist } from './playlist.ts'

/**
 * The time for which players find the last pictures of a stream without a source; a source that returns continues it.
 */
const LINGER_MS = 60_000
/** The first segment of a stream, a list and a part are waited for. */
const FIRST_WITHIN_MS = 12_000
const LIST_WITHIN_TARGETS = 3
const PART_WITHIN_MS = 5000
/** A player reads the list at least once in this time. */
const READER_GONE_MS = 15_000
const MOST_READERS = 5000

/** One source of a stream, as long as it sends. */
export interface HlsFeed {
  begin(header: Buffer, tracks: Mp4Tracks): void
  push(fragment: Fragment): void
  readers(): number
  end(): void
}

export interface HlsStreams {
  open(key: string, isLowLatency: boolean): HlsFeed
  /** Ends the streams with other keys: their addresses are void from now on. */
  keepOnly(keys: ReadonlySet<string>): void
  /** Answers /hls/{key}/{file}. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>
  stop(): void
}

interface Entry {
  readonly stream: HlsStream
  /** The time at which each player last read the list. */
  readonly readers: Map<string, number>
  feed: HlsFeed | undefined
  timer: NodeJS.Timeout | undefined
}

export function createHlsStreams(): HlsStreams {
  const entries = new Map<string, Entry>()

  function remove(key: string): void {
    const entry = entries.get(key)
    clearTimeout(entry?.timer)
    entry?.stream.close()
    entries.delete(key)
  }

  function open(key: string, isLowLatency: boolean): HlsFeed {
    const entry = entries.get(key) ?? newEntry()
    entries.set(key, entry)
    clearTimeout(entry.timer)
    const { stream, readers } = entry
    stream.setLowLatency(isLowLatency)
    const feed: HlsFeed = {
      begin: (header, tracks) => entry.feed === feed && stream.begin(header, tracks),
      push: (fragment) => entry.feed === feed && stream.push(fragment),
      readers: () => countReaders(readers),
      end() {
        // A changed output may have begun the next feed before the last one has ended.
        if (entry.feed !== feed) return
        entry.feed = undefined
        stream.end()
        entry.timer = setTimeout(() => remove(key), LINGER_MS)
      },
    }
    entry.feed = feed
    return feed
  }

  return {
    open,
    keepOnly(keys) {
      for (const key of [...entries.keys()]) if (!keys.has(key)) remove(key)
    },
    async answer(request, response) {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://hub')
      const [, key = '', file = ''] = /^\/hls\/([\w-]{1,128})\/([\w.-]{1,64})$/.exec(pathname) ?? []
      const entry = [...entries].find(([known]) => isSameKey(key, known))?.[1]
      if (!entry) return refuse(response, 404, 'stream: there is none at this address')
      if (request.method !== 'GET' && request.method !== 'HEAD')
        return refuse(response, 405, 'method: must be GET or HEAD', { allow: 'GET, HEAD' })
      if (file === 'index.m3u8') return await answerFirst(entry, response)
      if (file === 'live.m3u8') {
        noteReader(entry.readers, searchParams.get('reader') ?? `at ${request.socket.remoteAddress}`)
        return await answerList(entry.stream, searchParams, response)
      }
      await answerFile(entry.stream, file, response)
    },
    stop() {
      for (const key of [...entries.keys()]) remove(key)
    },
  }
}

const newEntry = (): Entry => ({
  stream: createHlsStream({ firstNumber: Math.floor(Date.now() / 1000), nowMs: Date.now }),
  readers: new Map(),
  feed: undefined,
  timer: undefined,
})

function countReaders(readers: Map<string, number>): number {
  for (const [id, readMs] of readers) if (performance.now() - readMs > READER_GONE_MS) readers.delete(id)
  return readers.size
}

function noteReader(readers: Map<string, number>, named: string): void {
  const id = named.slice(0, 64)
  if (readers.has(id) || countReaders(readers) < MOST_READERS) readers.set(id, performance.now())
}

async function answerFirst({ stream }: Entry, response: ServerResponse): Promise<void> {
  if (!(await stream.when(() => stream.listed() !== undefined, FIRST_WITHIN_MS)))
    return refuse(response, 503, 'stream: it has no picture yet', { 'retry-after': '2' })
  const reader = randomBytes(9).toString('base64url')
  sendList(response, multivariantPlaylist(stream.tracks(), stream.peakBitRate(), reader))
}

/** A player names the segment, and the part, that the list must contain at least. */
async function answerList(
  stream: HlsStream,
  asked: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  const [segment, part] = [asked.get('_HLS_msn'), asked.get('_HLS_part')]
  if (part !== null && segment === null) return refuse(response, 400, '_HLS_msn: is required with _HLS_part')
  for (const [name, value] of Object.entries({ _HLS_msn: segment, _HLS_part: part }))
    if (value !== null && !/^\d{1,15}$/.test(value)) return refuse(response, 400, `${name}: must be a number`)
  const isThere = () => stream.listed() !== undefined
  if (!(await stream.when(isThere, FIRST_WITHIN_MS)))
    return refuse(response, 503, 'stream: it has no picture yet', { 'retry-after': '2' })
  const limitMs = LIST_WITHIN_TARGETS * 1000 * (stream.listed()?.targetS ?? 0)
  if (segment !== null) {
    const last = stream.listed()?.segments.at(-1)?.number ?? 0
    if (Number(segment) > last + 2) return refuse(response, 400, '_HLS_msn: is too far ahead')
    const at = part === null ? undefined : Number(part)
    if (!(await stream.when(() => stream.has(Number(segment), at), limitMs)))
      return refuse(response, 503, '_HLS_msn: did not come in time')
  }
  const listed = stream.listed()
  if (!listed) return refuse(response, 404, 'stream: it has ended')
  sendList(response, mediaPlaylist(listed))
}

async function answerFile(stream: HlsStream, name: string, response: ServerResponse): Promise<void> {
  await stream.when(() => stream.file(name) !== 'soon', PART_WITHIN_MS)
  const pieces = stream.file(name)
  if (pieces === undefined || pieces === 'soon') return refuse(response, 404, 'file: is not there any more')
  response.writeHead(200, {
    'content-type': 'video/mp4',
    'content-length': pieces.reduce((sum, { length }) => sum + length, 0),
    'cache-control': 'public, max-age=60',
  })
  for (const piece of pieces) response.write(piece)
  response.end()
}

function sendList(response: ServerResponse, text: string): void {
  response.writeHead(200, {
    'content-type': 'application/vnd.apple.mpegurl',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-cache',
  })
  response.end(text)
}
