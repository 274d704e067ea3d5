import fc from 'fast-check'
import { expect, test } from 'vitest'
import { echoRequest, rangeNacks, readRtcp, receiverReport, senderReport, sourceDescription } from './rtcp.ts'

test('A compound of reports, name and echo reads back', () => {
  const block = {
    fractionLost: 9,
    cumulativeLost: 70,
    highestSequence: 70_000,
    lastReport: 5,
    sinceLastReport: 6,
  }
  const compound = Buffer.concat([
    senderReport({ ssrc: 2, wallMs: 1000, timestamp: 90, packets: 7, bytes: 8 }),
    receiverReport(4, 2, block),
    sourceDescription(2, '00000002/modem1'),
    echoRequest(2, 123n),
  ])
  expect(readRtcp(compound)).toMatchObject([
    { kind: 'senderReport', ssrc: 2, packets: 7, bytes: 8 },
    { kind: 'receiverReport', ssrc: 4, highestSequence: 70_000 },
    { kind: 'sourceDescription', ssrc: 2, cname: '00000002/modem1' },
    { kind: 'echoRequest', ssrc: 2, timestamp: 123n },
  ])
})

test('Range NACKs name exactly the missing numbers, across the wrap too', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 65_000, max: 66_200 }), { maxLength: 700 }), (indices) => {
      const sequences = indices.sort((a, b) => a - b).map((index) => index & 0xffff)
      const read = rangeNacks(2, sequences).flatMap((nack) => readRtcp(nack) ?? [])
      expect(read.flatMap((item) => (item.kind === 'nack' ? item.sequences : []))).toEqual(sequences)
    }),
  )
})

test('A bitmask NACK names its first number and those of its bits', () => {
  const nack = Buffer.from('81cd0003' + '00000000' + '00000002' + 'ffff8003', 'hex')
  expect(readRtcp(nack)).toEqual([{ kind: 'nack', sequences: [65_535, 0, 1, 15] }])
})

test('A NACK for everything is cut short', () => {
  const nack = Buffer.from(`80cc00050000000252495354${'0000ffff'.repeat(3)}`, 'hex')
  const [item] = readRtcp(nack) ?? []
  expect(item?.kind === 'nack' && item.sequences.length).toBe(4096)
})

test('Any bytes are read without an exception', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void readRtcp(Buffer.from(bytes))))
})
