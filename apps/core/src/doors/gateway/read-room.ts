// One piece of memory that all devices are read into.
//
// For each read Node makes room of 64 KB, keeps what came, and passes it on through a stream: with a fleet that reports once a
// second a sixth of the cost of a status, and memory in pieces. A socket that dials may be given room instead (`onread` of
// net.Socket); one that was accepted may not, though inside Node both are the same. So it is given here what that constructor
// sets. On a version of Node that does so in another way it reads as usual.
import { Socket } from 'node:net'

/** As much as Node reads at once. */
const room = Buffer.allocUnsafeSlow(65_536)

const partsOfSocket = Object.getOwnPropertySymbols(new Socket())
const partOf = (name: string) => partsOfSocket.find(({ description }) => description === name)
const [roomPart, onReadPart] = [partOf('kBuffer'), partOf('kBufferCb')]

interface InnerSocket {
  readonly _handle?: { useUserBuffer?(room: Uint8Array): void } | null
  [part: symbol]: unknown
}

/**
 * From now on `receive` gets the bytes of the socket, which the next read of any socket overwrites; listeners of its data get
 * only those that were read before.
 */
export function readIntoRoom(socket: Socket, receive: (bytes: Buffer) => void): void {
  const inner = socket as unknown as InnerSocket
  if (!roomPart || !onReadPart || !inner._handle?.useUserBuffer) return
  inner[roomPart] = room
  inner[onReadPart] = (length: number) => receive(room.subarray(0, length))
  inner._handle.useUserBuffer(room)
}
