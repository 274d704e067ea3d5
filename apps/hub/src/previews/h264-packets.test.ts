import { packetBytes } from '@backhaul/ffmpeg/ts-packets'
import { expect, test } from 'vitest'
import { createPacketiser, createPictureReader, unitsOf } from './h264-packets.ts'

const pid = 256

/** Transport packets of one picture, as ffmpeg writes them: the last one is filled up by its adaptation field; with less than a packet in the first, that one too. */
function packetsOf(picture: Buffer, stamp: number, inFirst = packetBytes - 4): Buffer {
  const head = Buffer.from([0, 0, 1, 0xe0, 0, 0, 0x80, 0x80, 5, 0, 0, 0, 0, 0])
  head[9] = 0x21 | ((Math.floor(stamp / 2 ** 30) & 7) << 1)
  head.writeUInt16BE(((Math.floor(stamp / 2 ** 15) & 0x7fff) << 1) | 1, 10)
  head.writeUInt16BE(((stamp & 0x7fff) << 1) | 1, 12)
  const pes = Buffer.concat([head, picture])
  const packets: Buffer[] = []
  for (let at = 0; at < pes.length; ) {
    const packet = Buffer.alloc(packetBytes, 0xff)
    const piece = pes.subarray(at, at + (at === 0 ? inFirst : packetBytes - 4))
    const filling = packetBytes - 4 - piece.length
    packet[0] = 0x47
    packet.writeUInt16BE(pid | (at === 0 ? 0x4000 : 0), 1)
    packet[3] = filling > 0 ? 0x30 : 0x10
    if (filling > 0) packet[4] = filling - 1
    if (filling > 1) packet[5] = 0
    piece.copy(packet, 4 + filling)
    packets.push(packet)
    at += piece.length
  }
  return Buffer.concat(packets)
}

const unit = (type: number, bytes: number) =>
  Buffer.concat([Buffer.from([0, 0, 0, 1, 0x60 | type]), Buffer.alloc(bytes, 0x55)])
const picture = (bytes: number) => Buffer.concat([unit(9, 1), unit(6, 30), unit(1, bytes)])

test('the units of a picture are found, and those that no decoder needs left out', () => {
  const bytes = Buffer.concat([
    unit(9, 1),
    unit(7, 20),
    Buffer.from([0, 0, 1, 0x68, 1, 2, 0, 0]),
    unit(5, 3000),
  ])
  expect(unitsOf(bytes).map((one) => [one[0]! & 0x1f, one.length])).toEqual([
    [7, 21],
    [8, 3],
    [5, 3001],
  ])
})

test('a picture leaves with its last packet once the stream has shown that it fills that one', () => {
  const seen: number[] = []
  const read = createPictureReader((_, stamp) => seen.push(stamp))
  for (let at = 0; at < 10; at++) read(packetsOf(picture(2000), at * 3000), pid)
  expect(seen).toEqual(Array.from({ length: 10 }, (_, at) => at * 3000))
})

test('a stream that continues behind a filled packet is not cut there', () => {
  const seen: number[] = []
  const read = createPictureReader(({ length }) => seen.push(length))
  const sizes = Array.from({ length: 12 }, (_, at) => 1500 + at)
  for (const [at, size] of sizes.entries()) read(packetsOf(picture(size), at * 3000, 100), pid)
  // The last one waits for the next.
  expect(seen).toEqual(sizes.slice(0, -1).map((size) => picture(size).length))
})

test('large units are sent in pieces of at most 1200 bytes, the last packet of a picture with the marker', () => {
  const packets: Buffer[] = []
  createPacketiser(96, (packet) => packets.push(packet))(Buffer.concat([unit(7, 20), unit(5, 5000)]), 90_000)
  expect(packets.every(({ length }) => length <= 1200)).toBe(true)
  expect(packets.map((packet) => packet[1]! >> 7)).toEqual([0, 0, 0, 0, 0, 1])
  expect(packets.map((packet) => packet[12]! & 0x1f)).toEqual([7, 28, 28, 28, 28, 28])
  expect(packets.map((packet) => packet[13]! >> 6).slice(1)).toEqual([2, 0, 0, 0, 1])
  expect(packets.map((packet) => packet.readUInt16BE(2))).toEqual([0, 1, 2, 3, 4, 5])
  expect(new Set(packets.map((packet) => packet.readUInt32BE(4)))).toEqual(new Set([90_000]))
})
