/** The channels of each sound track of a source, in their order. */
export type SoundTracks = readonly number[]

interface Camera {
  readonly kind: 'camera'
  readonly device: string
  readonly microphone?: string
  /** The ALSA device is opened with this many channels; 2 where none are named. */
  readonly microphoneChannels?: number
}

/** Sources of pictures. Where no tracks are named, the source is taken to have one. */
export type Source =
  | { readonly kind: 'testPattern' }
  | { readonly kind: 'file'; readonly path: string; readonly tracks?: SoundTracks }
  | Camera
  /** `script` is a file with the output of urlScript for the address: other users see the arguments of a program. */
  | { readonly kind: 'url'; readonly url: string; readonly script?: string; readonly tracks?: SoundTracks }

/** The channels of the test pattern, which has a tone for each. */
const patternChannels = 16

export const tracksOf = (source: Source): SoundTracks =>
  ('tracks' in source ? source.tracks : undefined) ?? []

/** An address that was not opened yet: what sound it has is not known. */
export const isUnseen = (source: Source): boolean => source.kind === 'url' && tracksOf(source).length === 0

/** The number of channels of sound of the source; 2 as long as nothing else is known. */
export function soundChannelsOf(source: Source): number {
  if (source.kind === 'testPattern') return patternChannels
  if (source.kind === 'camera') return source.microphoneChannels ?? 2
  return tracksOf(source).reduce((sum, channels) => sum + channels, 0) || 2
}

/** The same source with the sound that was found in it. */
export const withTracks = (source: Source, tracks: SoundTracks): Source =>
  source.kind === 'file' || source.kind === 'url' ? { ...source, tracks } : source

/** How samples represent colours, in the words of ffmpeg. */
export interface Colours {
  readonly primaries: string
  readonly transfer: string
  readonly matrix: string
}

export interface Picture {
  readonly width: number
  readonly height: number
  readonly framesPerSecond: number
  /** The bits of a sample; 8 where none are named. */
  readonly bits?: 10
  /** The colours of an HDR source; they are named in 10-bit video. */
  readonly colours?: Colours
}

/** Planar 4:2:0, in the words of ffmpeg. */
export const pixelFormat = ({ bits }: Picture): string => (bits === 10 ? 'yuv420p10le' : 'yuv420p')

export const largestPicture: Picture = { width: 3840, height: 2160, framesPerSecond: 60 }

/** Even sizes, as yuv420p needs them, and no more of anything. */
export const isWithin = (picture: Picture, most: Picture): boolean =>
  picture.width % 2 === 0 &&
  picture.height % 2 === 0 &&
  picture.width >= 16 &&
  picture.height >= 16 &&
  picture.framesPerSecond >= 1 &&
  picture.width <= most.width &&
  picture.height <= most.height &&
  picture.framesPerSecond <= most.framesPerSecond

export const defaultPicture: Picture = { width: 1280, height: 720, framesPerSecond: 30 }

/**
 * Reads a source as an operator writes it: `test`, a video device (`/dev/video0`, with a microphone
 * `/dev/video0,hw:1`, with one of eight channels `/dev/video0,hw:1,8ch`), a URL with a scheme ffmpeg knows, or the path
 * of a file.
 */
export function parseSource(text: string): Source {
  if (text === 'test') return { kind: 'testPattern' }
  if (text.startsWith('/dev/')) return parseCamera(text)
  if (text.startsWith('file:')) return { kind: 'file', path: text.replace(/^file:(\/\/)?/, '') }
  return /^[a-z][a-z0-9+]*:\/\//i.test(text) ? { kind: 'url', url: text } : { kind: 'file', path: text }
}

function parseCamera(text: string): Camera {
  const [device = text, ...sound] = text.split(',')
  const channels = Number(/^([1-9]\d?)ch$/.exec(sound.at(-1) ?? '')?.[1] ?? 0)
  const microphone = (channels > 0 ? sound.slice(0, -1) : sound).join(',')
  if (microphone === '') return { kind: 'camera', device }
  const camera = { kind: 'camera', device, microphone } as const
  return channels > 0 ? { ...camera, microphoneChannels: channels } : camera
}

/** The inputs of an ffmpeg command, and which of them holds the sound (input 0 always holds the picture). */
export interface SourceInputs {
  readonly args: readonly string[]
  readonly audioInput: number
}

/** Input arguments that deliver the source in real time, the test pattern with as many channels of sound. */
export function sourceInputs(source: Source, picture: Picture, channels = 2): SourceInputs {
  const { width, height, framesPerSecond } = picture
  switch (source.kind) {
    case 'testPattern': {
      // One lavfi input for both: with two inputs ffmpeg reads up to eight frames ahead of the clock.
      const graph =
        `testsrc2=size=${width}x${height}:rate=${framesPerSecond}[out0];` +
        (channels > 2 ? tones(channels) : 'sine=frequency=440:beep_factor=2:sample_rate=48000[out1]')
      return { args: ['-re', '-f', 'lavfi', '-i', graph], audioInput: 0 }
    }
    case 'file':
      return { args: ['-re', '-stream_loop', '-1', '-i', `file:${source.path}`], audioInput: 0 }
    case 'camera': {
      const size = ['-framerate', String(framesPerSecond), '-video_size', `${width}x${height}`]
      const camera = ['-f', 'v4l2', '-thread_queue_size', '8', ...size, '-i', source.device]
      const sound = source.microphone
        ? ['-f', 'alsa', '-thread_queue_size', '64', ...channelsOf(source), '-i', source.microphone]
        : ['-re', '-f', 'lavfi', '-i', 'anullsrc=sample_rate=48000:channel_layout=stereo']
      return { args: [...camera, ...sound], audioInput: 1 }
    }
    case 'url':
      return { args: urlInput(source), audioInput: 0 }
  }
}

/** 220 Hz on the first channel, 440 Hz on the second, and so on. */
function tones(channels: number): string {
  const each = Array.from({ length: channels }, (_, at) => `0.125*sin(${220 * (at + 1)}*2*PI*t)`)
  return `aevalsrc=exprs=${each.join('|')}:sample_rate=48000[out1]`
}

const channelsOf = ({ microphoneChannels }: Camera): string[] =>
  microphoneChannels === undefined ? [] : ['-channels', String(microphoneChannels)]

function urlInput({ url, script }: Source & { kind: 'url' }): string[] {
  // A file on a web server would be read as fast as the network allows.
  const pace = /^https?:/i.test(url) ? ['-re'] : []
  const options = urlOptions(url)
  if (script === undefined)
    return [...options.flatMap(([name, value]) => [`-${name}`, value]), ...pace, '-i', url]
  const quick = quickOpening.flatMap(([name, value]) => [`-${name}`, value])
  return [...quick, ...pace, '-f', 'concat', '-safe', '0', '-protocol_whitelist', protocols, '-i', script]
}

/** The protocols that a script may use. */
const protocols =
  'file,http,https,httpproxy,crypto,data,tcp,tls,udp,rtp,rtsp,rtmp,rtmpe,rtmps,rtmpt,srt,srtp,rist'

const quickOpening = [
  ['fflags', 'nobuffer'],
  ['analyzeduration', '2000000'],
] as const

const urlOptions = (url: string): (readonly [name: string, value: string])[] =>
  /^rtsps?:/i.test(url) ? [...quickOpening, ['rtsp_transport', 'tcp']] : [...quickOpening]

/** A concat script for ffmpeg with one entry; the address is one line. */
export function urlScript(url: string): string {
  const options = urlOptions(url).map(([name, value]) => `option ${name} ${value}`)
  return ['ffconcat version 1.0', `file '${url.replaceAll("'", "'\\''")}'`, ...options, ''].join('\n')
}
