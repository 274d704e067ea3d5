import { expect, test } from 'vitest'
import {
  captureArguments,
  encodeCapturedArguments,
  frameBytes,
  recordCapturedArguments,
  timeCodeOf,
} from './encode-arguments.ts'
import { defaultPicture, parseSource } from './sources.ts'

const encoding = {
  codec: 'h264',
  picture: defaultPicture,
  videoKbps: 4000,
  audioKbps: 96,
  effort: 'ultrafast',
  label: '',
  provider: '',
} as const

const after = (args: readonly string[], flag: string) => args[args.indexOf(flag) + 1]

test('a source is parsed from the setting of an operator', () => {
  expect(parseSource('test')).toEqual({ kind: 'testPattern' })
  expect(parseSource('/dev/video0')).toEqual({ kind: 'camera', device: '/dev/video0' })
  expect(parseSource('/dev/video0,hw:1')).toEqual({
    kind: 'camera',
    device: '/dev/video0',
    microphone: 'hw:1',
  })
  expect(parseSource('srt://host:9000')).toEqual({ kind: 'url', url: 'srt://host:9000' })
  expect(parseSource('file:///media/a.ts')).toEqual({ kind: 'file', path: '/media/a.ts' })
  expect(parseSource('clip.mp4')).toEqual({ kind: 'file', path: 'clip.mp4' })
})

test('H.264 is coded without delay: baseline, no B-frames, a group a second, the rate as its ceiling', () => {
  const args = encodeCapturedArguments(defaultPicture, encoding)
  expect(after(args, '-c:v')).toBe('libx264')
  expect(after(args, '-tune')).toBe('zerolatency')
  expect(after(args, '-profile:v')).toBe('baseline')
  expect(after(args, '-g')).toBe('30')
  expect(after(args, '-bf')).toBe('0')
  expect([after(args, '-b:v'), after(args, '-maxrate')]).toEqual(['4000k', '4000k'])
  expect(after(args, '-muxdelay')).toBe('0')
  expect(args.at(-1)).toBe('pipe:1')
})

test('H.265 repeats its headers and has no B-frames', () => {
  const args = encodeCapturedArguments(defaultPicture, { ...encoding, codec: 'h265' })
  expect(after(args, '-c:v')).toBe('libx265')
  expect(after(args, '-x265-params')).toContain('bframes=0:repeat-headers=1')
})

test('10 bits are in raw frames, in what is coded of them and in H.265 files, with the colours of HDR', () => {
  const colours = { matrix: 'bt2020nc', primaries: 'bt2020', transfer: 'smpte2084' }
  const deep = { ...defaultPicture, bits: 10, colours } as const
  expect(after(captureArguments({ kind: 'testPattern' }, deep), '-pix_fmt')).toBe('yuv420p10le')
  expect(frameBytes(deep)).toBe(2 * frameBytes(defaultPicture))
  const args = encodeCapturedArguments(deep, { ...encoding, codec: 'h265', picture: deep })
  expect(after(args, '-pix_fmt')).toBe('yuv420p10le')
  expect(after(args, '-vf')).toContain(
    'setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc',
  )
  const shallow = { ...defaultPicture, colours }
  expect(after(encodeCapturedArguments(shallow, encoding), '-vf')).not.toContain('setparams')
  const recording = { ...encoding, path: '/a.mp4', labels: {} }
  expect(recordCapturedArguments(deep, recording).filter((word) => word.startsWith('yuv'))).toEqual([
    'yuv420p10le',
    'yuv420p',
  ])
  expect(recordCapturedArguments(deep, { ...recording, codec: 'h265' })).not.toContain('yuv420p')
})

test('a file loops in real time and is fitted into the picture, a camera without microphone gets silence', () => {
  const file = captureArguments({ kind: 'file', path: 'a b.mp4' }, defaultPicture)
  expect(after(file, '-stream_loop')).toBe('-1')
  expect(after(file, '-i')).toBe('file:a b.mp4')
  expect(after(file, '-filter_complex')).toContain('pad=1280:720')
  const camera = captureArguments({ kind: 'camera', device: '/dev/video0' }, defaultPicture)
  expect(after(camera, '-f')).toBe('v4l2')
  expect(camera.join(' ')).toContain('anullsrc')
  expect(camera.join(' ')).toContain('-map 1:a:0?')
  const mute = captureArguments({ kind: 'file', path: 'a.mp4' }, defaultPicture, undefined, false)
  expect(mute).not.toContain('pipe:3')
})

test('an RTSP camera is read by TCP and a clip from a web server at its own pace', () => {
  expect(captureArguments({ kind: 'url', url: 'rtsp://cam/1' }, defaultPicture)).toContain('-rtsp_transport')
  expect(captureArguments({ kind: 'url', url: 'https://host/a.mp4' }, defaultPicture)).toContain('-re')
  expect(captureArguments({ kind: 'url', url: 'udp://239.1.1.1:5000' }, defaultPicture)).not.toContain('-re')
})

test('the readable clock needs a font, the strip for programs does not', () => {
  const withFont = captureArguments({ kind: 'testPattern' }, defaultPicture, { fontPath: '/f.ttf' })
  expect(after(withFont, '-filter_complex')).toContain("drawtext=fontfile='/f.ttf'")
  const without = captureArguments({ kind: 'testPattern' }, defaultPicture, {})
  expect(after(without, '-filter_complex')).not.toContain('drawtext')
  expect(after(without, '-filter_complex')).toContain('geq')
})

test('captured frames are scaled only when the wanted picture is another one', () => {
  expect(after(encodeCapturedArguments(defaultPicture, encoding), '-vf')).not.toContain('scale')
  const small = { width: 640, height: 360, framesPerSecond: 30 }
  const args = encodeCapturedArguments(defaultPicture, { ...encoding, picture: small })
  expect(after(args, '-vf')).toMatch(/^scale=640:360,setpts=/)
  expect(after(args, '-video_size')).toBe('1280x720')
})

test('a recording has a time code when its beginning is given', () => {
  const beganMs = Date.UTC(2026, 10, 23, 9, 8, 7, 980)
  expect(timeCodeOf(beganMs, { ...defaultPicture, framesPerSecond: 25 })).toBe('09:08:07:24')
  const recording = { ...encoding, path: '/media/a.mp4', labels: {} }
  expect(recordCapturedArguments(defaultPicture, recording)).not.toContain('-timecode')
  expect(after(recordCapturedArguments(defaultPicture, { ...recording, beganMs }), '-timecode')).toBe(
    '09:08:07:29',
  )
})
