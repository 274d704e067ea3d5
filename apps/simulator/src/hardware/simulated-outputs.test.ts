import type { Output } from '@backhaul/contract/gateway/servers'
import { expect, test } from 'vitest'
import { outputStatuses } from './simulated-outputs.ts'

const output: Output = { id: 'out', protocol: 'srt', url: 'srt://192.0.2.1:9000' }
const rateOf = (more: Partial<Output>, receivedKbps: number | null = 4000) =>
  outputStatuses([{ ...output, ...more }], receivedKbps, 0)[0]?.kbps

test('a destination gets what is received, at the rate of its encoder where it has one', () => {
  expect(rateOf({})).toBe(4000)
  expect(rateOf({ encoding: { videoKbps: 1500 } })).toBe(1628)
  expect(rateOf({ encoding: { profile: 'main' } })).toBe(4000)
  expect(rateOf({ broadcast: { videoKbps: 900, height: 180, title: 'News' } })).toBe(1028)
  expect(rateOf({ muxRateKbps: 5000 })).toBe(5000)
})

test('options of the channel replace the rate of the encoder', () => {
  const encoding = { videoKbps: 1500 }
  expect(rateOf({ encoding, ffmpeg: { 'b:v': '2500k' } })).toBe(2628)
  expect(rateOf({ encoding, ffmpeg: { 'b:v': '2.5M' } })).toBe(2628)
  expect(rateOf({ encoding, ffmpeg: { 'b:v': '2500000' } })).toBe(2628)
  expect(rateOf({ encoding, ffmpeg: { preset: 'fast' } })).toBe(1628)
})

test('a black picture has few bits, but fills a constant rate', () => {
  expect(rateOf({ encoding: { videoKbps: 1500 } }, null)).toBe(40)
  expect(rateOf({ muxRateKbps: 5000 }, null)).toBe(5000)
})
