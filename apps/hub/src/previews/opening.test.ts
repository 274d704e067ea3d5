import { until } from '@backhaul/runtime/testing/until'
import { expect, test } from 'vitest'
import { hurried, startPicture } from './opening.ts'

/** Two packets a picture, 25 pictures a second. */
function group(pictures: number, from = 4_294_000_000): Buffer[] {
  return Array.from({ length: pictures * 2 }, (_, at) => {
    const packet = Buffer.alloc(40)
    packet.writeUInt16BE(at, 2)
    packet.writeUInt32BE((from + Math.floor(at / 2) * 3600) >>> 0, 4)
    return packet
  })
}

const ahead = (from: number, to: number) => (to - from) | 0

test('pictures of the past follow each other as fast as they leave, and the newest keeps its time', () => {
  const packets = group(400)
  const stamps = hurried(packets).map(({ stamp }) => stamp!)
  expect(stamps.at(-1)).toBe(packets.at(-1)!.readUInt32BE(4))
  for (let at = 1; at < stamps.length; at++) {
    const step = ahead(stamps[at - 1]!, stamps[at]!)
    const isSamePicture = at % 2 === 1
    expect(isSamePicture ? step === 0 : step > 0).toBe(true)
  }
  // 800 packets, 24 at a time, 5 ms between: 165 ms, in which 16 s of pictures pass.
  expect(ahead(stamps[0]!, stamps.at(-1)!)).toBeLessThan(170 * 90)
})

test('packets received meanwhile follow in order, with their own time', async () => {
  const sent: { sequence: number; stamp: number | undefined }[] = []
  const sending = {
    send: (packet: Buffer, stamp?: number) => sent.push({ sequence: packet.readUInt16BE(2), stamp }),
    stop() {},
  }
  const packets = group(100)
  const picture = startPicture(sending, packets.slice(0, 150))
  for (const packet of packets.slice(150)) picture.take(packet, false)
  await until(() => sent.length === 200)
  expect(sent.map(({ sequence }) => sequence)).toEqual(packets.map((_, at) => at))
  expect(sent.map(({ stamp }) => stamp !== undefined)).toEqual(packets.map((_, at) => at < 150))
})

test('without a group the picture begins with the next one that opens', () => {
  const sent: number[] = []
  const sending = { send: (packet: Buffer) => sent.push(packet.readUInt16BE(2)), stop() {} }
  const picture = startPicture(sending, [])
  for (const [at, packet] of group(3).entries()) picture.take(packet, at === 2)
  expect(sent).toEqual([2, 3, 4, 5])
})
