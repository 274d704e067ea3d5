/**
 * The least that WebRTC viewers of one stream cost with Node and OpenSSL: each packet of RTP is sealed for each viewer, by
 * AES-128-GCM as in SRTP (RFC 7714), and sent to the viewer's port. Nothing is negotiated, repeated or reported.
 *
 * `least-viewers.ts <port for video> <port for audio>`; a line with `add` adds viewers at these ports and is answered with how
 * many packets came so far.
 */
import { createCipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { answerLines } from '../load/load-program.ts'

const headBytes = 12
const tagBytes = 16

interface Viewer {
  socket: Socket
  key: KeyObject
  nonce: Buffer
}

const viewers: Viewer[] = []
let packets = 0

function seal({ key, nonce }: Viewer, packet: Buffer): Buffer {
  const sealed = Buffer.allocUnsafe(packet.length + tagBytes)
  packet.copy(sealed, 0, 0, headBytes)
  nonce.writeUInt16BE(packet.readUInt16BE(2), 10)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  cipher.setAAD(sealed.subarray(0, headBytes))
  cipher.update(packet.subarray(headBytes)).copy(sealed, headBytes)
  cipher.final()
  cipher.getAuthTag().copy(sealed, packet.length)
  return sealed
}

for (const port of process.argv.slice(2).map(Number)) {
  const input = createSocket('udp4')
  input.on('message', (packet) => {
    packets++
    for (const viewer of viewers) viewer.socket.send(seal(viewer, packet))
  })
  input.bind(port, '127.0.0.1')
  await once(input, 'listening')
}

answerLines(async ({ add = [] }: { add?: readonly number[] }) => {
  for (const port of add) {
    const socket = createSocket('udp4').on('error', () => {})
    socket.connect(port, '127.0.0.1')
    await once(socket, 'connect')
    viewers.push({ socket, key: createSecretKey(randomBytes(16)), nonce: randomBytes(12) })
  }
  return { packets }
})
