import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { chooseCoder, hardwareCoders } from './coders.ts'
import { findFfmpeg, probeFfmpeg } from './find.ts'
import { standInNvenc } from './testing/stand-in-nvenc.ts'
import { videoCoderArguments } from './video-coders.ts'

const ffmpegPath = findFfmpeg()
const picture = { width: 320, height: 180, framesPerSecond: 25 }
const folder = mkdtempSync(join(tmpdir(), 'backhaul-coders-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const choose = (path: string, encoders: readonly string[] = ['h264_nvenc', 'h264_vaapi', 'libx264']) =>
  chooseCoder({ ffmpegPath: path, encoders, codec: 'h264', picture, allowed: hardwareCoders })

describe.runIf(ffmpegPath)('the choice of the encoder', () => {
  test('hardware that encodes as it has to is taken', async () => {
    const { path } = standInNvenc(ffmpegPath!, folder, 'good')
    expect(await choose(path)).toEqual({ coder: 'nvenc', rejected: [] })
  })

  test('hardware whose key frames are elsewhere is not, and software is', async () => {
    const { path } = standInNvenc(
      ffmpegPath!,
      folder,
      'elsewhere',
      '-tune zerolatency -sc_threshold 0 -x264-params keyint=7:min-keyint=7',
    )
    const { coder, rejected } = await choose(path, ['h264_nvenc', 'libx264'])
    expect(coder).toBe('software')
    expect(rejected).toEqual([{ coder: 'nvenc', reason: 'frame 7 is a key frame' }])
  })

  test('hardware that is not there is left for software, with the reason', async () => {
    const { encoders } = await probeFfmpeg(ffmpegPath!, ['encoders'])
    const { coder, rejected } = await choose(ffmpegPath!, encoders)
    expect(coder).toBe('software')
    expect(rejected.map((one) => one.coder)).toEqual(
      hardwareCoders.filter((one) => encoders.includes(`h264_${one}`)),
    )
    for (const { reason } of rejected) expect(reason).not.toBe('')
  })

  test('what ffmpeg was built without is not tried', async () => {
    expect(await choose('/nowhere/ffmpeg', ['libx264'])).toEqual({ coder: 'software', rejected: [] })
  })
})

test('each hardware gets the rate, the groups and the forced key frame, and no frames to wait for', () => {
  const coding = { codec: 'h265', picture, videoKbps: 2000, effort: 'superfast', secondKeyFrame: 15 } as const
  for (const coder of hardwareCoders) {
    const { output } = videoCoderArguments({ ...coding, coder })
    const text = output.join(' ')
    expect(text).toContain(`-c:v hevc_${coder} -b:v 2000k -maxrate 2000k -bufsize 500k`)
    expect(text).toContain('-force_key_frames expr:eq(n,15) -g 25 -bf 0')
  }
  expect(videoCoderArguments({ ...coding, coder: 'nvenc' }).output).toContain('p3')
  expect(videoCoderArguments({ ...coding, coder: 'vaapi' })).toMatchObject({
    device: ['-vaapi_device', '/dev/dri/renderD128'],
    upload: ',format=nv12,hwupload',
  })
})
