import { expect, test } from 'vitest'
import { findFfmpeg, parseProtocols, parseVersion, probeFfmpeg } from './find.ts'
import { createProgressParser, type Progress } from './progress.ts'

test('FFMPEG_PATH rules: what it names is used, or nothing', () => {
  expect(findFfmpeg({ FFMPEG_PATH: '/no/ffmpeg', PATH: '/usr/bin' })).toBeUndefined()
  expect(findFfmpeg({ FFMPEG_PATH: process.execPath })).toBe(process.execPath)
  expect(findFfmpeg({ PATH: '/nowhere' })).toBeUndefined()
})

test('version and protocols are read from what ffmpeg prints', () => {
  expect(parseVersion('ffmpeg version 5.1.9-0+deb12u1 Copyright')).toBe('5.1.9-0+deb12u1')
  const text = 'Supported file protocols:\nInput:\n  file\n  srt\nOutput:\n  file\n  rist\n'
  expect(parseProtocols(text)).toEqual({ protocolsIn: ['file', 'srt'], protocolsOut: ['file', 'rist'] })
})

const path = findFfmpeg()
test.runIf(path)('the probe finds coders, filters and protocols of the real program', async () => {
  const found = await probeFfmpeg(path!, ['encoders', 'filters', 'protocolsIn', 'protocolsOut'])
  expect(found.version).not.toBe('unknown')
  expect(found.encoders).toEqual(expect.arrayContaining(['libx264', 'aac', 'mjpeg']))
  expect(found.filters).toEqual(expect.arrayContaining(['geq', 'overlay', 'setpts', 'scale']))
  expect(found.protocolsIn).toContain('udp')
  expect(found.protocolsOut).toContain('udp')
})

test('progress blocks are parsed, N/A is unknown, and other lines are messages', () => {
  const seen: Progress[] = []
  const parser = createProgressParser((progress) => seen.push(progress))
  const lines = [
    'frame=42',
    'fps=30.00',
    'bitrate=4005.1kbits/s',
    'total_size=752000',
    'out_time_us=1400000',
    'drop_frames=2',
    'speed=N/A',
  ]
  for (const line of lines) expect(parser.push(line)).toBe(true)
  expect(parser.push('[libx264 @ 0x1] something is wrong')).toBe(false)
  parser.push('progress=continue')
  expect(seen).toEqual([
    {
      frames: 42,
      framesPerSecond: 30,
      bitrateKbps: 4005.1,
      outTimeMs: 1400,
      sizeBytes: 752_000,
      duplicatedFrames: 0,
      droppedFrames: 2,
      speed: undefined,
      ended: false,
    },
  ])
})
