// A receiver of ST 2110-20 and -30 that shares nothing with the sender: it reads packets by RFC 3550, 4175 and 3190.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export interface StreamAddress {
  /** A multicast address. */
  address: string
  port: number
}

/** 10 bit, one sample a pixel of `y`, one for two pixels of `cb` and `cr`, in the order of the lines. */
export interface ReceivedPicture {
  y: Uint16Array
  cb: Uint16Array
  cr: Uint16Array
}

const RTP_HEADER_BYTES = 12
const LINE_HEADER_BYTES = 6
/** Four samples of 10 bit for two pixels: Cb, Y, Cr, Y. */
const GROUP_BYTES = 5

/** Calls `read` with the payload of each packet that comes over the loopback interface, until it returns true. */
async function readPackets(
  { address, port }: StreamAddress,
  read: (payload: Buffer) => boolean,
  timeoutMs: number,
): Promise<void> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true })
  socket.bind(port, address)
  await once(socket, 'listening')
  socket.addMembership(address, '127.0.0.1')
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(() => reject(new Error(`not received within ${timeoutMs} ms`)), timeoutMs)
  socket.on('message', (packet) => {
    if (packet[0] === 0x80 && read(packet.subarray(RTP_HEADER_BYTES))) resolve()
  })
  await promise.finally(() => {
    clearTimeout(timer)
    socket.close()
  })
}

/**
 * A still picture, once each of its pixels was received: a burst may lose packets, which the next picture has too.
 * Rejects where a line or a pixel is out of the picture.
 */
export async function receivePicture(
  from: StreamAddress,
  { width, height }: { width: number; height: number },
  timeoutMs: number,
): Promise<ReceivedPicture> {
  const size = width * height
  const y = new Uint16Array(size)
  const cb = new Uint16Array(size / 2)
  const cr = new Uint16Array(size / 2)
  const received = new Uint8Array(size / 2)
  let missing = size / 2

  function takeGroup(group: Buffer, pair: number): void {
    const bits = group.readUIntBE(0, GROUP_BYTES)
    const sample = (at: number) => Math.floor(bits / 2 ** (30 - 10 * at)) % 1024
    cb[pair] = sample(0)
    y[2 * pair] = sample(1)
    cr[pair] = sample(2)
    y[2 * pair + 1] = sample(3)
    missing -= received[pair] === 1 ? 0 : 1
    received[pair] = 1
  }

  let fault: Error | undefined
  await readPackets(
    from,
    (payload) => {
      // After the upper half of the sequence number: headers of lines, of which each but the last announces another.
      const lines: { bytes: number; line: number; offset: number }[] = []
      let at = 2
      for (let hasMore = true; hasMore; at += LINE_HEADER_BYTES) {
        const offset = payload.readUInt16BE(at + 4)
        hasMore = offset >= 0x8000
        lines.push({
          bytes: payload.readUInt16BE(at),
          line: payload.readUInt16BE(at + 2) & 0x7fff,
          offset: offset & 0x7fff,
        })
      }
      for (const { bytes, line, offset } of lines) {
        if (line >= height || offset + (bytes / GROUP_BYTES) * 2 > width)
          fault = new Error(`line ${line}, pixel ${offset}, ${bytes} bytes`)
        for (let group = 0; group < bytes && !fault; group += GROUP_BYTES)
          takeGroup(
            payload.subarray(at + group, at + group + GROUP_BYTES),
            (line * width + offset) / 2 + group / GROUP_BYTES,
          )
        at += bytes
      }
      if (at !== payload.length) fault ??= new Error(`${payload.length - at} bytes after the last line`)
      return missing === 0 || fault !== undefined
    },
    timeoutMs,
  )
  if (fault) throw fault
  return { y, cb, cr }
}

/** Samples of 24 bit, of all channels in turn, for each of the first packets. */
export async function receiveSound(
  from: StreamAddress,
  packets: number,
  timeoutMs: number,
): Promise<Int32Array[]> {
  const received: Int32Array[] = []
  await readPackets(
    from,
    (payload) => {
      received.push(Int32Array.from({ length: payload.length / 3 }, (_, at) => payload.readIntBE(3 * at, 3)))
      return received.length === packets
    },
    timeoutMs,
  )
  return received
}
