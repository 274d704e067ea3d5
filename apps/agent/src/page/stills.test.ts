// Stills of real sources by real ffmpeg: what is on them, and when the source is open.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { systemClock } from '@backhaul/runtime/clock'
import { createLog } from '@backhaul/runtime/log'
import { until } from '@backhaul/runtime/testing/until'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createRawSource, type RawSource } from '../encoder/raw-source.ts'
import { createStills } from './stills.ts'

const ffmpegPath = findFfmpeg()
const folder = mkdtempSync(join(tmpdir(), 'backhaul-stills-'))
const ffmpeg = (words: string, input?: Buffer) =>
  spawnSync(ffmpegPath!, ['-v', 'error', '-y', ...words.split(' ')], { input, maxBuffer: 1e9 }).stdout
const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})
beforeAll(() => {
  for (const colour of ['red', 'blue'])
    ffmpeg(
      `-f lavfi -i color=${colour}:size=1280x720:rate=10:duration=2 -c:v libx264 ${join(folder, `${colour}.mkv`)}`,
    )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Counts who listens to it now. */
function sourceOf(colour: string) {
  const source = createRawSource({
    ffmpegPath: ffmpegPath!,
    source: { kind: 'file', path: join(folder, `${colour}.mkv`) },
    picture: { width: 1280, height: 720, framesPerSecond: 10 },
    clockStyle: undefined,
    onMessage() {},
  })
  const counted = {
    picture: source.picture,
    channels: source.channels,
    listeners: 0,
    listen(listener: Parameters<RawSource['listen']>[0]) {
      counted.listeners++
      const end = source.listen(listener)
      return async () => {
        counted.listeners--
        await end()
      }
    },
  }
  return counted
}

function colourOf(jpeg: Buffer): string {
  const words = '-f mjpeg -i pipe:0 -vf format=rgb24,scale=1:1:flags=area -f rawvideo -pix_fmt rgb24 pipe:1'
  const [red = 0, , blue = 0] = ffmpeg(words, jpeg)
  return red > 2 * blue ? 'red' : blue > 2 * red ? 'blue' : 'other'
}

describe.runIf(ffmpegPath)('stills', () => {
  test('while a user looks there is a new still a second, of the source as it is open now', async () => {
    const [red, blue] = [sourceOf('red'), sourceOf('blue')]
    let open: RawSource = red
    const log = createLog({ name: 'test', format: 'json', level: 'silent' })
    const options = { ffmpegPath: ffmpegPath!, cameras: 1, pictureOf: () => open, clock: systemClock, log }
    const stills = createStills(options)
    cleanUps.push(() => stills.close())
    expect(stills.of(1)).toBeUndefined()
    expect(red.listeners).toBe(0)
    const endWatch = stills.watch()
    const first = await until(() => stills.of(1))
    expect(colourOf(first.jpeg)).toBe('red')
    const next = await until(() => (stills.of(1)!.number > first.number ? stills.of(1) : undefined))
    expect(next.jpeg.length).toBeLessThan(60_000)
    expect(stills.of(2)).toBeUndefined()
    open = blue
    await until(() => {
      const still = stills.of(1)
      return still && colourOf(still.jpeg) === 'blue'
    })
    expect([red.listeners, blue.listeners]).toEqual([0, 1])
    endWatch()
    await until(() => blue.listeners === 0)
    expect(stills.of(1)).toBeUndefined()
  })
})
