import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '@backhaul/runtime/log'
import { expect, test } from 'vitest'
import { readMedia } from './file-probe.ts'
import { rangeOf } from './file-server.ts'
import { createFileShelf } from './file-shelf.ts'

test('what ffmpeg prints of a file tells its length, its rate and its picture', () => {
  const lines = [
    '  Duration: 01:02:03.50, start: 0.000000, bitrate: 4012 kb/s',
    '  Stream #0:0(und): Video: h264 (High) (avc1 / 0x31637661), yuv420p, 1280x720 [SAR 1:1 DAR 16:9], 3990 kb/s',
    '  Stream #0:1(und): Audio: aac (LC), 48000 Hz, stereo',
  ]
  const media = { lengthMs: 3_723_500, bitrateKbps: 4012, codec: 'h264', width: 1280, height: 720 }
  expect(readMedia(lines)).toEqual(media)
  expect(readMedia(lines.slice(2))).toBeNull()
})

test('a file is handed out from any byte on, and no further than it goes', () => {
  expect(rangeOf(undefined, 100)).toBeUndefined()
  expect(rangeOf('bytes=10-', 100)).toEqual({ start: 10, end: 99 })
  expect(rangeOf('bytes=10-19', 100)).toEqual({ start: 10, end: 19 })
  expect(rangeOf('bytes=-10', 100)).toEqual({ start: 90, end: 99 })
  expect(rangeOf('bytes=90-500', 100)).toEqual({ start: 90, end: 99 })
  expect([rangeOf('bytes=100-', 100), rangeOf('bytes=9-3', 100)]).toEqual(['impossible', 'impossible'])
  expect(rangeOf('lines=1-2', 100)).toBeUndefined()
})

test('a file of a unit is kept whole, is named once, and what breaks off leaves nothing', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'backhaul-shelf-'))
  const log = createLog({ name: 'hub', format: 'json', level: 'silent' })
  const shelf = createFileShelf({
    ...{ dataFolder, ffmpegPath: undefined, channels: () => [], play() {}, stopPlaying() {}, log },
  })
  try {
    const key = { channelId: 'ch-1', unitId: 'u-1', fileName: 'Harbour.mp4' }
    async function* pieces(ending?: Error) {
      yield Buffer.from('hello ')
      if (ending) throw ending
      yield Buffer.from('van')
    }
    await shelf.receive?.(key, pieces())
    const facts = { ...key, rootDirectory: 'uploads', sizeBytes: 9 }
    expect(shelf.all()).toMatchObject([facts])
    const path = join(dataFolder, 'uploads', 'ch-1', 'u-1', 'Harbour.mp4')
    expect(readFileSync(path, 'utf8')).toBe('hello van')
    await expect(shelf.receive?.(key, pieces())).rejects.toThrow('Name is already taken')
    const other = { ...key, fileName: 'Storm.mp4' }
    await expect(shelf.receive?.(other, pieces(new Error('cut off')))).rejects.toThrow('cut off')
    expect(shelf.all()).toMatchObject([facts])
  } finally {
    await shelf.close()
    rmSync(dataFolder, { recursive: true, force: true })
  }
})
