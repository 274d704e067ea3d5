import { createReadStream, type ReadStream } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { type Clock, systemClock, type Timer } from '@backhaul/runtime/clock'
import { createLineSplitter } from '@backhaul/runtime/line-splitter'
import { type Coordinates, parseGpsd, parseNmea } from './nmea.ts'

const retryMs = 10_000
/** An older fix is not reported as the position any more. */
const staleMs = 60_000

export interface PositionSource {
  /** The newest fix, or null when there was none in the last minute. */
  current(): Coordinates | null
  close(): void
}

/**
 * Follows a receiver: `gpsd://host:2947`, or the path of a serial device or file with NMEA sentences.
 * Without a place there is no position.
 */
export function followPosition(place: string | undefined, clock: Clock = systemClock): PositionSource {
  let fix: Coordinates | undefined
  let fixedAtMs = 0
  let open: Socket | ReadStream | undefined
  let retry: Timer | undefined
  let closed = false

  const note = (found: Coordinates | undefined) => {
    if (!found) return
    // Only some sentences of each second contain the accuracy.
    fix = { ...(fix?.accuracyM !== undefined && { accuracyM: fix.accuracyM }), ...found }
    fixedAtMs = clock.monotonicMs()
  }

  function follow(from: string): void {
    const lines = createLineSplitter((line) => note(parseNmea(line) ?? parseGpsd(line)))
    const source = openPlace(from)
    open = source
    source.on('data', (chunk: Buffer | string) => lines.push(Buffer.from(chunk)))
    source.on('error', () => source.destroy())
    // The end of a file or a lost connection: read it again, a receiver appends or comes back.
    source.on('close', () => {
      lines.end()
      if (!closed) retry = clock.setTimeout(() => follow(from), retryMs)
    })
  }

  if (place) follow(place)
  return {
    current: () => (fix && clock.monotonicMs() - fixedAtMs <= staleMs ? fix : null),
    close() {
      closed = true
      clock.clearTimeout(retry)
      open?.destroy()
    },
  }
}

function openPlace(place: string): Socket | ReadStream {
  if (!place.startsWith('gpsd://')) return createReadStream(place)
  const url = new URL(place)
  const socket = connect(Number(url.port || 2947), url.hostname || '127.0.0.1')
  socket.on('connect', () => socket.write('?WATCH={"enable":true,"json":true};\n'))
  return socket
}
