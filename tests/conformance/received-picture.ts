/** A channel's place: what a unit sends there, decoded and measured by ffmpeg. */
import { spawnSync } from 'node:child_process'
import { createReceiver, type Receiver } from '@backhaul/bonding/receiver'
import { until } from '../stage/until.ts'
import { colourOf } from './film.ts'

export const sessionKey = Buffer.alloc(32, 7)

const openingBytes = 100_000

export interface ReceivedPicture {
  readonly target: { host: string; port: number }
  /** Admits another transmission, and forgets what came. */
  admit(transmissionId: string): void
  /** The first bytes of the transmission that was admitted last. */
  opening(): Promise<Buffer>
  /** The data received from now on, at least this many bytes. */
  next(bytes?: number): Promise<Buffer>
  /** The description by ffmpeg of the data received from now on. */
  described(bytes?: number): Promise<string>
  /** Colours of the newest picture of what comes from now on, row by row. */
  shown(size?: number): Promise<string[]>
  /** Over all links, or over the one from this address, in kbit/s. */
  kbps(address?: string): number
  /** Packets of the transmission that are lost permanently, and those received by retransmission. */
  losses(): { lost: number; recovered: number }
  close(): Promise<void>
}

export async function openReceivedPicture(ffmpegPath: string, bufferMs = 400): Promise<ReceivedPicture> {
  const receiver: Receiver = await createReceiver({
    bindHost: '127.0.0.1',
    port: 0,
    bufferMs,
    sessionId: 'none',
    key: sessionKey,
  })
  let received: Uint8Array[] = []
  let opening: Uint8Array[] = []
  receiver.onData((payload) => {
    const bytes = Uint8Array.from(payload)
    received.push(bytes)
    if (lengthOf(opening) < openingBytes) opening.push(bytes)
  })
  const next = async (bytes = 150_000) => {
    received = []
    await until(`${bytes} bytes of the transmission`, () => lengthOf(received) >= bytes, 180_000)
    return Buffer.concat(received)
  }
  return {
    target: { host: '127.0.0.1', port: receiver.port },
    admit(sessionId) {
      receiver.setSession({ sessionId, key: sessionKey })
      received = []
      opening = []
    },
    async opening() {
      await until('the beginning of the transmission', () => lengthOf(opening) >= openingBytes, 180_000)
      return Buffer.concat(opening)
    },
    next,
    described: async (bytes) => describe(ffmpegPath, await next(bytes)),
    shown: async (size = 1) => coloursOf(ffmpegPath, await next(), size),
    kbps(address) {
      const links = receiver.stats().links.filter((link) => !address || link.address === address)
      return links.reduce((sum, { kbps }) => sum + kbps, 0)
    },
    losses: () => receiver.stats().totals,
    close: () => receiver.close(),
  }
}

const lengthOf = (parts: readonly Uint8Array[]) => parts.reduce((sum, { length }) => sum + length, 0)

/** The description by ffmpeg of a transport stream, or of the file at a path: `Video: h264 …`. */
export function describe(ffmpegPath: string, input: Buffer | string): string {
  const isPath = typeof input === 'string'
  const args = ['-hide_banner', ...(isPath ? ['-i', input] : ['-f', 'mpegts', '-i', 'pipe:0'])]
  return spawnSync(ffmpegPath, args, { ...(!isPath && { input }), encoding: 'utf8' }).stderr
}

function coloursOf(ffmpegPath: string, stream: Buffer, size: number): string[] {
  const words = `-v quiet -f mpegts -i pipe:0 -an -vf format=rgb24,scale=${size}:${size}:flags=area`
  const args = `${words} -f rawvideo -pix_fmt rgb24 pipe:1`.split(' ')
  const raw = spawnSync(ffmpegPath, args, { input: stream, maxBuffer: 1e9 }).stdout
  const last = raw.subarray(-3 * size * size)
  return Array.from({ length: last.length / 3 }, (_, at) => colourOf(last.subarray(at * 3, at * 3 + 3)))
}
