// Many streams in one tunnel. Each end lets the other send as many bytes as its reader has room for, so that a slow
// reader holds up no other stream.
//
// A record is an operation (1 byte), the number of the stream (4 bytes; odd where the calling end opened it), and its
// content: OPEN the name of the place that it leads to, DATA bytes, END nothing, RESET a reason, ROOM a number of bytes.
import { Duplex } from 'node:stream'
import { RECORD_BYTES } from './tunnel-flow.ts'

const OPEN = 1
const DATA = 2
const END = 3
const RESET = 4
const ROOM = 5
const HEAD_BYTES = 5

const FIRST_ROOM_BYTES = 512 << 10
/** Room is given in portions, so that a stream costs few records in the other direction. */
const PORTION_BYTES = 64 << 10
/** The most streams of both ends together; more are refused. */
const MOST_STREAMS = 256
const LONGEST_REASON = 200

export interface TunnelStreams {
  /** Leads to the place that the other end knows by this name. Throws RangeError where there are too many. */
  open(name: string): Duplex
  receive(record: Buffer): void
  /** Ends all streams with the reason. */
  endAll(reason: string): void
  count(): number
}

export interface TunnelStreamsOptions {
  readonly end: 'caller' | 'port'
  readonly send: (record: Buffer) => void
  readonly onOpen: (name: string, stream: Duplex) => void
}

interface Entry {
  readonly stream: Duplex
  receive(bytes: Buffer): void
  addRoom(bytes: number): void
}

export function createTunnelStreams({ end, send, onOpen }: TunnelStreamsOptions): TunnelStreams {
  const entries = new Map<number, Entry>()
  let next = end === 'caller' ? 1 : 2

  function record(operation: number, id: number, content: Uint8Array = Buffer.alloc(0)): void {
    const head = Buffer.alloc(HEAD_BYTES)
    head[0] = operation
    head.writeUInt32BE(id, 1)
    send(Buffer.concat([head, content]))
  }

  function add(id: number): Entry {
    const entry = createEntry({
      send: (operation, content) => record(operation, id, content),
      onGone: () => entries.delete(id),
    })
    entries.set(id, entry)
    return entry
  }

  function opened(id: number, name: string): void {
    const isOwn = id % 2 === (end === 'caller' ? 1 : 0)
    if (isOwn || entries.has(id)) return
    if (entries.size < MOST_STREAMS) onOpen(name, add(id).stream)
    else record(RESET, id, Buffer.from('too many streams'))
  }

  return {
    open(name) {
      if (entries.size >= MOST_STREAMS) throw new RangeError(`streams: at most ${MOST_STREAMS}`)
      const id = next
      next += 2
      record(OPEN, id, Buffer.from(name))
      return add(id).stream
    },
    receive(bytes) {
      if (bytes.length < HEAD_BYTES) return
      const [operation, id, content] = [bytes[0], bytes.readUInt32BE(1), bytes.subarray(HEAD_BYTES)]
      if (operation === OPEN) return opened(id, content.toString())
      const entry = entries.get(id)
      if (!entry) return
      if (operation === DATA) entry.receive(content)
      if (operation === END) entry.stream.push(null)
      if (operation === RESET) entry.stream.destroy(new Error(content.toString()))
      if (operation === ROOM && content.length === 4) entry.addRoom(content.readUInt32BE(0))
    },
    endAll(reason) {
      for (const { stream } of [...entries.values()]) stream.destroy(new Error(reason))
    },
    count: () => entries.size,
  }
}

interface EntryOptions {
  readonly send: (operation: number, content?: Uint8Array) => void
  readonly onGone: () => void
}

function createEntry({ send, onGone }: EntryOptions): Entry {
  let room = FIRST_ROOM_BYTES
  let waiting: { rest: Buffer; done: () => void } | undefined
  /** Received and read, and no room was given for it yet. */
  let read = 0
  let isReset = false

  function flush(): void {
    while (waiting && room > 0) {
      const part = waiting.rest.subarray(0, Math.min(RECORD_BYTES - HEAD_BYTES, room))
      room -= part.length
      waiting.rest = waiting.rest.subarray(part.length)
      send(DATA, part)
      if (waiting.rest.length > 0) continue
      const { done } = waiting
      waiting = undefined
      done()
    }
  }

  function giveRoom(least: number): void {
    if (read < least || read === 0) return
    const content = Buffer.alloc(4)
    content.writeUInt32BE(read)
    read = 0
    send(ROOM, content)
  }

  const stream = new Duplex({
    readableHighWaterMark: FIRST_ROOM_BYTES,
    writableHighWaterMark: PORTION_BYTES,
    decodeStrings: true,
    read: () => giveRoom(1),
    write(chunk: Buffer, _encoding, done) {
      waiting = { rest: chunk, done }
      flush()
    },
    final(done) {
      send(END)
      done()
    },
    destroy(error, done) {
      const isWhole = stream.readableEnded && stream.writableFinished
      if (!isWhole && !isReset) send(RESET, Buffer.from((error?.message ?? '').slice(0, LONGEST_REASON)))
      isReset = true
      onGone()
      done(error)
    },
  })
  // The user of the stream sees its end; without one there is nothing to report.
  stream.on('error', () => {})
  return {
    stream,
    receive(bytes) {
      if (stream.destroyed || stream.readableEnded) return
      read += bytes.length
      // Data that waits for its reader gets room when it is read.
      if (stream.push(bytes)) giveRoom(PORTION_BYTES)
    },
    addRoom(bytes) {
      room += bytes
      flush()
    },
  }
}
