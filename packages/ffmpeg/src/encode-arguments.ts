import { describing } from './probe-picture.ts'
import { capturedSound, soundFormat, soundTracks } from './sound-arguments.ts'
import { isUnseen, type Picture, pixelFormat, type Source, sourceInputs } from './sources.ts'
import { timeCodeStripFilter } from './time-code-strip.ts'
import { type Coder, type Effort, type VideoCodec, videoCoderArguments } from './video-coders.ts'

/** The content of the transport stream. */
export interface Encoding {
  readonly codec: VideoCodec
  /** Software where none is named. */
  readonly coder?: Coder
  readonly picture: Picture
  readonly videoKbps: number
  /** The audio rate of each pair of channels. */
  readonly audioKbps: number
  /** An even number of channels: each pair is a track of its own. 2 where none are named. */
  readonly audioChannels?: number
  /** The processor time that is spent on a picture. */
  readonly effort: Effort
  /** Name of the service in the transport stream, which receivers show; '' names none. */
  readonly label: string
  /** Provider of the service: more about the picture; '' names none. */
  readonly provider: string
}

/** The stamp of an encoder's first frame and of its first sound, so that none is below zero. */
export const firstStampTicks = 900_000
/**
 * Encoders stamp sound later than it is by this. A multiplexer that holds sound of a later time knows that nothing comes before a
 * picture and passes it on; AAC is some 65 ms late, and each picture would wait for the next one.
 */
export const soundAheadTicks = 13_500
/** The second key frame comes this many frames after the first, later ones a second apart. */
const secondKeyFrame = 15

/** Whether an encoder makes a key frame of the frame with this number, counted from 0. */
export function isKeyFrame(frame: number, { framesPerSecond }: Picture): boolean {
  return frame === 0 || (frame >= secondKeyFrame && (frame - secondKeyFrame) % framesPerSecond === 0)
}

export interface ClockStyle {
  /** A font file for the readable clock; without it only the strip is drawn. */
  readonly fontPath?: string
}

const argsOfLevel = (level: string) => [
  '-hide_banner',
  '-nostdin',
  '-nostats',
  '-v',
  level,
  '-progress',
  'pipe:2',
  '-y',
]
const globalArgs = argsOfLevel('warning')

/**
 * Source to raw frames (`pixelFormat` of the picture) on standard output and 16-bit sound (48 kHz, 2 channels or as many as
 * are named) on descriptor 3: one program holds the source open, encoders start and stop independently of it.
 */
export function captureArguments(
  source: Source,
  picture: Picture,
  clock?: ClockStyle,
  hasSound = true,
  channels = 2,
): string[] {
  const inputs = sourceInputs(source, picture, channels)
  return [
    // A source that was not seen yet is described while it is opened.
    ...(isUnseen(source) ? argsOfLevel(describing) : globalArgs),
    ...inputs.args,
    '-filter_complex',
    `${pictureFilters(source, picture, clock)};[seen]null[v]`,
    '-map',
    '[v]',
    '-f',
    'rawvideo',
    '-pix_fmt',
    pixelFormat(picture),
    'pipe:1',
    ...(hasSound ? capturedSound(source, inputs.audioInput, channels) : []),
  ]
}

/**
 * Encodes the output of captureArguments (frames of size `captured`), from standard input and descriptor 3, to MPEG-TS.
 * Stamps only count the frames and samples that were read, from `firstStampTicks` on.
 */
export function encodeCapturedArguments(captured: Picture, encoding: Encoding): string[] {
  const { picture } = encoding
  const shiftBy = (ticks: number) => `PTS+${ticks / 90_000}/TB`
  const scale = picture.width === captured.width ? '' : `scale=${picture.width}:${picture.height},`
  const { device, upload, output } = videoCoderArguments({ ...encoding, secondKeyFrame })
  return [
    ...device,
    ...capturedInputs(captured, encoding.audioChannels),
    '-map',
    '0:v',
    '-vf',
    `${scale}${colourNames(captured)}setpts=${shiftBy(firstStampTicks)}${upload}`,
    ...soundTracks(encoding.audioChannels, `asetpts=${shiftBy(firstStampTicks + soundAheadTicks)}`),
    ...output,
    ...soundAndTransport(encoding),
  ]
}

/** A recording: all that is needed to read the file is in it at any time, so that a crash costs its last second alone. */
export interface Recording extends Omit<Encoding, 'picture' | 'label' | 'provider' | 'coder'> {
  readonly path: string
  readonly labels: Readonly<Record<string, string>>
  /** The time of the first frame, in milliseconds since 1970, for a track of time codes in UTC. */
  readonly beganMs?: number
}

/** The same input to a fragmented MP4 with the labels as its metadata. */
export function recordCapturedArguments(captured: Picture, recording: Recording): string[] {
  const { codec, videoKbps, audioKbps, audioChannels, effort, path, labels, beganMs } = recording
  const gop = String(captured.framesPerSecond)
  // Few players decode H.264 with 10 bits.
  const coder =
    codec === 'h264' ? ['-c:v', 'libx264', '-pix_fmt', 'yuv420p'] : ['-c:v', 'libx265', '-tag:v', 'hvc1']
  const colours = colourNames(captured)
  return [
    ...capturedInputs(captured, audioChannels),
    '-map',
    '0:v',
    ...(colours ? ['-vf', colours.slice(0, -1)] : []),
    ...coder,
    '-preset',
    effort,
    '-b:v',
    `${videoKbps}k`,
    '-maxrate',
    `${videoKbps}k`,
    '-bufsize',
    `${videoKbps}k`,
    '-g',
    gop,
    ...soundTracks(audioChannels),
    '-c:a',
    'aac',
    '-b:a',
    `${audioKbps}k`,
    ...(beganMs === undefined ? [] : ['-timecode', timeCodeOf(beganMs, captured)]),
    ...Object.entries(labels).flatMap(([name, value]) => ['-metadata', `${name}=${value}`]),
    '-movflags',
    '+frag_keyframe+empty_moov+default_base_moof+use_metadata_tags',
    '-f',
    'mp4',
    `file:${path}`,
  ]
}

/** `HH:MM:SS:FF` in UTC. */
export function timeCodeOf(timeMs: number, { framesPerSecond }: Picture): string {
  const time = new Date(timeMs).toISOString().slice(11, 19)
  const frame = Math.floor(((timeMs % 1000) * framesPerSecond) / 1000)
  return `${time}:${String(frame).padStart(2, '0')}`
}

/** Frames on standard input, sound on descriptor 3. */
function capturedInputs(captured: Picture, audioChannels?: number): string[] {
  const small = ['-probesize', '32', '-analyzeduration', '0']
  const size = `${captured.width}x${captured.height}`
  return [
    ...globalArgs,
    ...small,
    '-f',
    'rawvideo',
    '-pix_fmt',
    pixelFormat(captured),
    '-video_size',
    size,
    '-framerate',
    String(captured.framesPerSecond),
    '-i',
    'pipe:0',
    ...small,
    '-thread_queue_size',
    '256',
    '-f',
    's16le',
    ...soundFormat(audioChannels),
    '-i',
    'pipe:3',
  ]
}

/** A filter that sets the colour space, which raw frames do not carry, with a comma after it; or ''. */
function colourNames({ bits, colours }: Picture): string {
  if (bits !== 10 || !colours) return ''
  const { primaries, transfer, matrix } = colours
  return `setparams=color_primaries=${primaries}:color_trc=${transfer}:colorspace=${matrix},`
}

/** Bytes of one raw frame. */
export function frameBytes({ width, height, bits }: Picture): number {
  return ((width * height * 3) / 2) * (bits === 10 ? 2 : 1)
}

/** From input 0 to [seen]: every source becomes the same size, rate and pixel format. */
function pictureFilters(source: Source, picture: Picture, clock: ClockStyle | undefined): string {
  const { width, height, framesPerSecond } = picture
  const fit =
    `scale=${width}:${height}:force_original_aspect_ratio=decrease,` +
    `pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2,setsar=1,fps=${framesPerSecond},`
  const even = `[0:v:0]${source.kind === 'testPattern' ? '' : fit}format=${pixelFormat(picture)}`
  if (!clock) return `${even}[seen]`
  const text = clock.fontPath ? `,${clockText(clock.fontPath, height)}` : ''
  return `${even}${text}[even];${timeCodeStripFilter('even', 'seen', picture)}`
}

function clockText(fontPath: string, height: number): string {
  const size = Math.round(height / 9)
  const place = `x=(w-text_w)/2:y=h/2-text_h/2:fontsize=${size}:fontcolor=white:box=1:boxcolor=black@0.6:boxborderw=${Math.round(size / 4)}`
  return `drawtext=fontfile='${fontPath}':expansion=normal:text='%{gmtime\\:%H\\\\\\:%M\\\\\\:%S} UTC':${place}`
}

/** The muxer sends each packet at once: options of an output, before its address. */
export const unbuffered: readonly string[] = ['-muxdelay', '0', '-muxpreload', '0', '-flush_packets', '1']

/** MPEG-TS in which nothing waits: options of an output, before its address. */
export const promptTransport: readonly string[] = [
  '-f',
  'mpegts',
  ...unbuffered,
  // Otherwise the picture waits for its sound, which AAC emits some 65 ms later.
  '-max_interleave_delta',
  '1000',
  '-pat_period',
  '0.2',
]

function soundAndTransport({ audioKbps, label, provider }: Encoding): string[] {
  return [
    '-c:a',
    'aac',
    '-b:a',
    `${audioKbps}k`,
    ...soundFormat(),
    ...promptTransport,
    ...(label ? ['-metadata', `service_name=${label}`] : []),
    ...(provider ? ['-metadata', `service_provider=${provider}`] : []),
    'pipe:1',
  ]
}
