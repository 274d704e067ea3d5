import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UPLOAD_WAITS_HOURS } from '@backhaul/contract/nouns/unit-files'
import { createTestClock } from '@backhaul/runtime/clock'
import { createLog } from '@backhaul/runtime/log'
import { expect, test } from 'vitest'
import { readMedia } from './file-probe.ts'
import { createFileStore } from './file-store.ts'

test('length, rate and picture of a file are read from what ffmpeg prints', () => {
  const lines = [
    '  Duration: 01:02:03.50, start: 0.000000, bitrate: 4012 kb/s',
    '  Stream #0:0(und): Video: h264 (High) (avc1 / 0x31637661), yuv420p, 1280x720 [SAR 1:1 DAR 16:9], 3990 kb/s',
    '  Stream #0:1(und): Audio: aac (LC), 48000 Hz, stereo',
  ]
  const media = { lengthMs: 3_723_500, bitrateKbps: 4012, codec: 'h264', width: 1280, height: 720 }
  expect(readMedia(lines)).toEqual(media)
  expect(readMedia(['    quality         : hd', ...lines])).toEqual({ ...media, quality: 'hd' })
  expect(readMedia(['    quality         : best', ...lines])).toEqual(media)
  expect(readMedia(lines.slice(2))).toBeNull()
})

test('an upload of a unit continues where it was interrupted, the file is listed once, and its parts are removed in time', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'backhaul-files-'))
  const log = createLog({ name: 'hub', format: 'json', level: 'silent' })
  const clock = createTestClock(Date.now())
  const open = () =>
    createFileStore({
      dataFolder,
      ffmpegPath: undefined,
      channels: () => [],
      play() {},
      stopPlaying() {},
      clock,
      log,
    })
  const store = open()
  const list = () => statSync(join(dataFolder, 'incoming', 'waited.json'), { throwIfNoEntry: false })?.mtimeMs
  /** Goes by hour by hour, as they are counted. */
  async function hours(count: number): Promise<void> {
    for (let hour = 0; hour < count; hour++) {
      const before = list()
      clock.advance(3_600_000)
      await expect.poll(list).not.toBe(before)
    }
  }
  try {
    const key = { channelId: 'ch-1', unitId: 'u-1', fileName: 'Harbour.mp4' }
    async function* pieces(ending?: Error) {
      yield Buffer.from('hello ')
      if (ending) throw ending
      yield Buffer.from('van')
    }
    const { uploads } = store
    const part = (uploadId: string) => join(dataFolder, 'incoming', `${uploadId}.part`)
    const first = { uploadId: 'ul-1', file: key, from: 0 }
    await expect(uploads?.receive(first, pieces(new Error('cut off')))).rejects.toThrow('cut off')
    expect(store.all()).toEqual([])
    expect(await uploads?.kept('ul-1')).toBe(6)
    async function* rest() {
      yield Buffer.from('van')
    }
    await uploads?.receive({ ...first, from: 6 }, rest())
    expect(await uploads?.kept('ul-1')).toBe('complete')
    const facts = { ...key, rootDirectory: 'uploads', sizeBytes: 9 }
    expect(store.all()).toMatchObject([facts])
    const path = join(dataFolder, 'uploads', 'ch-1', 'u-1', 'Harbour.mp4')
    expect(readFileSync(path, 'utf8')).toBe('hello van')
    const harbour = { ...first, uploadId: 'ul-7', file: { ...key, fileName: 'Damaged.mp4' } }
    const sum = async () => createHash('sha256').update('hello fan').digest('hex')
    await expect(uploads?.receive({ ...harbour, sum }, pieces())).rejects.toThrow('The checksum of the file')
    expect(await uploads?.kept('ul-7')).toBe(0)
    expect(existsSync(join(dataFolder, 'uploads', 'ch-1', 'u-1', 'Damaged.mp4'))).toBe(false)
    await expect(uploads?.receive({ ...first, uploadId: 'ul-2' }, pieces())).rejects.toThrow(
      'Name is already taken',
    )
    const other = { ...key, fileName: 'Storm.mp4' }
    for (const uploadId of ['ul-3', 'ul-4', 'ul-5']) {
      const cut = uploads?.receive({ uploadId, file: other, from: 0 }, pieces(new Error('cut off')))
      await expect(cut).rejects.toThrow('cut off')
    }
    expect(store.all()).toMatchObject([facts])
    await uploads?.forget('ul-3')
    expect(existsSync(part('ul-3'))).toBe(false)
    // A clock that is set, here or on the disk, ends no upload; what waits is counted over a restart.
    const years = new Date(Date.now() + 1000 * 86_400_000)
    clock.stepWall(1000 * 86_400_000)
    utimesSync(part('ul-4'), new Date(0), new Date(0))
    utimesSync(part('ul-5'), years, years)
    await hours(UPLOAD_WAITS_HOURS / 2)
    await store.close()
    expect(existsSync(part('ul-4')) && existsSync(part('ul-5'))).toBe(true)
    const next = open()
    await hours(UPLOAD_WAITS_HOURS / 4)
    clock.stepWall(-2000 * 86_400_000)
    const goesOn = next.uploads?.receive({ uploadId: 'ul-5', file: other, from: 6 }, pieces(new Error('cut')))
    await expect(goesOn).rejects.toThrow('cut')
    await hours(UPLOAD_WAITS_HOURS / 4 + 1)
    await expect.poll(() => existsSync(part('ul-4'))).toBe(false)
    expect(await next.uploads?.kept('ul-5')).toBe(12)
    // It is removed too once it is not continued.
    await hours(UPLOAD_WAITS_HOURS)
    await expect.poll(() => existsSync(part('ul-5'))).toBe(false)
    await next.close()
    // A hub that never runs for an hour counts as well.
    const rare = open()
    await expect(
      rare.uploads?.receive({ uploadId: 'ul-6', file: other, from: 0 }, pieces(new Error('cut off'))),
    ).rejects.toThrow('cut off')
    await rare.close()
    for (let halves = 0; halves < 2 * UPLOAD_WAITS_HOURS; halves++) {
      expect(existsSync(part('ul-6'))).toBe(true)
      const before = list()
      const brief = open()
      await expect.poll(list, { interval: 2 }).not.toBe(before)
      clock.advance(1_800_000)
      await brief.close()
    }
    expect(existsSync(part('ul-6'))).toBe(false)
  } finally {
    await store.close()
    rmSync(dataFolder, { recursive: true, force: true })
  }
})
