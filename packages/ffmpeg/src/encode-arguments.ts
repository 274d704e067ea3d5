import { type Picture, type Source, sourceInputs } from './sources.ts'
import { timeCodeStripFilter } from './time-code-strip.ts'

export type VideoCodec = 'h264' | 'h265'

/** From the quickest to what still keeps pace: the picture gets better at the same rate. */
export const efforts = ['ultrafast', 'superfast', 'veryfast'] as const
export type Effort = (typeof efforts)[number]

/** What goes into the transport stream. */
export interface Encoding {
  readonly codec: VideoCodec
  readonly picture: Picture
  readonly videoKbps: number
  readonly audioKbps: number
  /** How much work is spent on a picture. */
  readonly effort: Effort
  /** Wall-clock time that the stamps of the stream count from: encoders that share it agree about time. */
  readonly epochMs: number
}

export interface ClockStyle {
  /** A font file for the clock that people read; without it only the strip is drawn. */
  readonly fontPath?: string
}

const globalArgs = ['-hide_banner', '-nostdin', '-nostats', '-v', 'warning', '-progress', 'pipe:2', '-y']
const soundFormat = ['-ar', '48000', '-ac', '2']

/** Source to MPEG-TS on standard output in one program; the clock is drawn when `clock` is given. */
export function encodeSourceArguments(source: Source, encoding: Encoding, clock?: ClockStyle): string[] {
  const { picture, epochMs } = encoding
  const inputs = sourceInputs(source, picture)
  return [
    ...globalArgs,
    ...inputs.args,
    '-filter_complex',
    `${pictureFilters(source, picture, clock)};[seen]setpts='${timeline(epochMs)}'[v]`,
    ...['-map', '[v]', '-map', `${inputs.audioInput}:a:0?`],
    ...['-af', `asetpts='${timeline(epochMs)}'`],
    ...outputArguments(encoding),
  ]
}

/**
 * Source to raw yuv420p frames on standard output and 16-bit stereo sound (48 kHz) on descriptor 3,
 * for sources that only one program may open.
 */
export function captureArguments(source: Source, picture: Picture, clock?: ClockStyle): string[] {
  const inputs = sourceInputs(source, picture)
  return [
    ...globalArgs,
    ...inputs.args,
    ...['-filter_complex', `${pictureFilters(source, picture, clock)};[seen]null[v]`],
    ...['-map', '[v]', '-f', 'rawvideo', '-pix_fmt', 'yuv420p', 'pipe:1'],
    ...['-map', `${inputs.audioInput}:a:0?`, ...soundFormat, '-f', 's16le', '-flush_packets', '1', 'pipe:3'],
  ]
}

/** What captureArguments delivers (frames of size `captured`), from standard input and descriptor 3, to MPEG-TS. */
export function encodeCapturedArguments(captured: Picture, encoding: Encoding): string[] {
  const { picture, epochMs } = encoding
  const small = ['-probesize', '32', '-analyzeduration', '0']
  const scale = picture.width === captured.width ? '' : `scale=${picture.width}:${picture.height},`
  const size = `${captured.width}x${captured.height}`
  return [
    ...globalArgs,
    ...[...small, '-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-video_size', size],
    ...['-framerate', String(captured.framesPerSecond), '-i', 'pipe:0'],
    ...[...small, '-thread_queue_size', '256', '-f', 's16le', ...soundFormat, '-i', 'pipe:3'],
    ...['-map', '0:v', '-vf', `${scale}setpts='${timeline(epochMs)}'`],
    ...['-map', '1:a', '-af', `asetpts='${timeline(epochMs)}'`],
    ...outputArguments(encoding),
  ]
}

/** Bytes of one yuv420p frame. */
export function frameBytes({ width, height }: Picture): number {
  return (width * height * 3) / 2
}

/** From input 0 to [seen]: every source becomes the same size, rate and pixel format. */
function pictureFilters(source: Source, picture: Picture, clock: ClockStyle | undefined): string {
  const { width, height, framesPerSecond } = picture
  const fit =
    `scale=${width}:${height}:force_original_aspect_ratio=decrease,` +
    `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2,setsar=1,fps=${framesPerSecond},`
  const even = `[0:v:0]${source.kind === 'testPattern' ? '' : fit}format=yuv420p`
  if (!clock) return `${even}[seen]`
  const text = clock.fontPath ? `,${clockText(clock.fontPath, height)}` : ''
  return `${even}${text}[even];${timeCodeStripFilter('even', 'seen', picture)}`
}

function clockText(fontPath: string, height: number): string {
  const size = Math.round(height / 9)
  const place = `x=(w-text_w)/2:y=h/2-text_h/2:fontsize=${size}:fontcolor=white:box=1:boxcolor=black@0.6:boxborderw=${Math.round(size / 4)}`
  return `drawtext=fontfile='${fontPath}':expansion=normal:text='%{gmtime\\:%H\\\\\\:%M\\\\\\:%S} UTC':${place}`
}

/**
 * An expression for setpts that counts from the epoch: the first frame is stamped with the wall clock, later ones keep
 * their own distance. What is more than 20 ms off the wall clock comes back by 1 ms a frame, and what is more than
 * 0.5 s behind (frames were lost) at once: so picture and sound, and encoders that shall change places, agree. Who is
 * off by more than 10 minutes keeps its own pace: somebody has set the clock.
 */
function timeline(epochMs: number): string {
  const behind = `st(1,(time(0)-${epochMs / 1000})/TB-PTS-ld(0))*0`
  const gentle = 'st(0,ld(0)+if(between(abs(ld(1))*TB,0.02,600),sgn(ld(1))*0.001/TB,0))'
  return `${behind}+if(eq(N,0)+between(ld(1)*TB,0.5,600),st(0,ld(0)+ld(1)),${gentle})*0+PTS+ld(0)`
}

function outputArguments(encoding: Encoding): string[] {
  return [
    ...videoArguments(encoding),
    ...['-c:a', 'aac', '-b:a', `${encoding.audioKbps}k`, ...soundFormat],
    ...['-f', 'mpegts', '-flush_packets', '1', '-muxdelay', '0', '-muxpreload', '0'],
    // Else the picture waits for sound of the same moment, which AAC gives some 65 ms later.
    ...['-max_interleave_delta', '1000', '-pat_period', '0.2', 'pipe:1'],
  ]
}

/** One group of pictures a second, no B-frames, nothing held back: each frame leaves when it is coded. */
function videoArguments({ codec, videoKbps, picture, effort }: Encoding): string[] {
  const gop = String(picture.framesPerSecond)
  const rate = [
    '-b:v',
    `${videoKbps}k`,
    '-maxrate',
    `${videoKbps}k`,
    '-bufsize',
    `${Math.round(videoKbps / 4)}k`,
  ]
  if (codec === 'h264') {
    const x264 = ['-c:v', 'libx264', '-preset', effort, '-tune', 'zerolatency', '-profile:v', 'baseline']
    return [...x264, ...rate, '-g', gop, '-keyint_min', gop, '-sc_threshold', '0', '-bf', '0']
  }
  const x265 = `keyint=${gop}:min-keyint=${gop}:scenecut=0:bframes=0:repeat-headers=1:log-level=error`
  return ['-c:v', 'libx265', '-preset', effort, '-tune', 'zerolatency', ...rate, '-x265-params', x265]
}
