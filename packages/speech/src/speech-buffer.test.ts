import { expect, test } from 'vitest'
import { FRAME_MS } from './frames.ts'
import { createSpeechBuffer, MOST_DELAY_MS } from './speech-buffer.ts'

const payload = (frame: number) => Uint8Array.of(frame & 0xff, frame >> 8)
const mostFrames = MOST_DELAY_MS / FRAME_MS

/** A buffer, and what it plays: numbers of frames, `lost` and `silent`. */
function build() {
  const buffer = createSpeechBuffer()
  const put = (...frames: number[]) => {
    for (const frame of frames) buffer.put(frame, payload(frame))
  }
  const take = () => {
    const played = buffer.take()
    return played.kind === 'sound' ? (played.payload[0] ?? 0) + ((played.payload[1] ?? 0) << 8) : played.kind
  }
  const takes = (count: number) => Array.from({ length: count }, take)
  return { buffer, put, take, takes }
}

test('frames are played in order however they come, and a repeated or late one is not played', () => {
  const { buffer, put, takes } = build()
  expect(takes(2)).toEqual(['silent', 'silent'])
  put(12, 10, 11, 11)
  expect(takes(2)).toEqual([10, 11])
  put(10, 14, 13)
  expect(takes(3)).toEqual([12, 13, 14])
  expect(buffer.dropped()).toBe(1)
})

test('a single missing frame is concealed, and a long gap is silence', () => {
  const { put, takes } = build()
  put(1, 2, 4, 5)
  expect(takes(5)).toEqual([1, 2, 'lost', 4, 5])
  expect(takes(6)).toEqual(['lost', 'lost', 'lost', 'silent', 'silent', 'silent'])
  put(100)
  // A single word begins without the frames that would follow it.
  expect(takes(3)).toEqual(['silent', 'silent', 100])
})

test('the delay is limited: what waits too long is dropped, at once or by and by', () => {
  const { buffer, put, take, takes } = build()
  put(1, 2, 3)
  takes(1)
  put(...Array.from({ length: 40 }, (_, at) => at + 4))
  expect(take()).toBe(41)
  expect(buffer.depth()).toBeLessThanOrEqual(mostFrames)
  expect(buffer.dropped()).toBe(39)
  // Two frames more than needed wait all the time: they are dropped one by one.
  put(44, 45, 46)
  const before = buffer.depth()
  for (let frame = 47; frame < 200; frame++) {
    put(frame)
    take()
  }
  expect(before).toBeGreaterThan(3)
  expect(buffer.depth()).toBe(3)
})

test('a way that has become slower gets a longer delay in place of silence', () => {
  const { put, take } = build()
  let played = 0
  for (let turn = 1; turn < 200; turn++) {
    // From turn 50 on everything comes five frames later.
    const frame = turn < 50 ? turn : turn - 5
    if (frame > 0 && (turn < 50 || turn >= 55)) put(frame)
    if (typeof take() === 'number') played++
  }
  expect(played).toBeGreaterThan(175)
})

test('a count that begins again is followed', () => {
  const { put, takes } = build()
  put(9000, 9001, 9002)
  takes(3)
  put(1, 2, 3)
  expect(takes(3)).toEqual([1, 2, 3])
})

test('a longer delay is collected first, and kept', () => {
  const buffer = createSpeechBuffer(300)
  const played: string[] = []
  for (let turn = 1; turn <= 40; turn++) {
    buffer.put(turn, payload(turn))
    played.push(buffer.take().kind)
  }
  expect(played.lastIndexOf('silent')).toBe(13)
  expect(played.slice(14)).toEqual(Array(26).fill('sound'))
  expect(buffer.dropped()).toBe(0)
})
