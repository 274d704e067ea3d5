// The coders of ffmpeg for a live picture, with the options by which each holds nothing back.
import type { Picture } from './sources.ts'

export type VideoCodec = 'h264' | 'h265'
/** The processor, or hardware by the interface that ffmpeg has for it. */
export type Coder = 'software' | 'nvenc' | 'vaapi' | 'v4l2m2m'

/** From the fastest preset to the slowest that keeps up in real time: the picture gets better at the same rate. */
export const efforts = ['ultrafast', 'superfast', 'veryfast'] as const
export type Effort = (typeof efforts)[number]

/** The first graphics processor of the machine. */
const vaapiDevice = '/dev/dri/renderD128'
/** The same three steps for NVENC. */
const nvencPresets = { ultrafast: 'p1', superfast: 'p3', veryfast: 'p4' } as const satisfies Record<
  Effort,
  string
>

const softwareNames = { h264: 'libx264', h265: 'libx265' } as const
const hardwareNames = { h264: 'h264', h265: 'hevc' } as const

/** The name of the encoder in ffmpeg. */
export const coderName = (codec: VideoCodec, coder: Coder): string =>
  coder === 'software' ? softwareNames[codec] : `${hardwareNames[codec]}_${coder}`

export interface VideoCoding {
  readonly codec: VideoCodec
  readonly coder?: Coder
  readonly picture: Picture
  readonly videoKbps: number
  readonly effort: Effort
  /** The second key frame comes this many frames after the first, later ones a second apart. */
  readonly secondKeyFrame: number
}

export interface CoderArguments {
  /** Before the inputs. */
  readonly device: readonly string[]
  /** After the other filters of the picture. */
  readonly upload: string
  readonly output: readonly string[]
}

/**
 * One group of pictures a second, no B-frames, nothing held back: each frame leaves when it is coded. The first group is
 * shorter, so that an encoder that takes over from another can do so soon.
 */
export function videoCoderArguments(coding: VideoCoding): CoderArguments {
  const { codec, coder = 'software', videoKbps, picture, secondKeyFrame } = coding
  const gop = String(picture.framesPerSecond)
  const common = [
    '-c:v',
    coderName(codec, coder),
    '-b:v',
    `${videoKbps}k`,
    '-maxrate',
    `${videoKbps}k`,
    '-bufsize',
    `${Math.round(videoKbps / 4)}k`,
    '-force_key_frames',
    `expr:eq(n,${secondKeyFrame})`,
    '-g',
    gop,
    '-bf',
    '0',
  ]
  const plain = { device: [], upload: '' }
  switch (coder) {
    case 'nvenc': {
      const prompt = '-tune ull -rc cbr -zerolatency 1 -delay 0 -no-scenecut 1 -forced-idr 1'.split(' ')
      return { ...plain, output: [...common, '-preset', nvencPresets[coding.effort], ...prompt] }
    }
    case 'vaapi':
      return {
        device: ['-vaapi_device', vaapiDevice],
        upload: ',format=nv12,hwupload',
        output: [...common, '-rc_mode', 'CBR', '-async_depth', '1'],
      }
    case 'v4l2m2m':
      return { ...plain, upload: ',format=nv12', output: common }
    case 'software':
      return { ...plain, output: [...common, ...softwareArguments(coding, gop)] }
  }
}

function softwareArguments({ codec, effort }: VideoCoding, gop: string): string[] {
  const prompt = ['-preset', effort, '-tune', 'zerolatency', '-forced-idr', '1']
  if (codec === 'h264') return [...prompt, '-profile:v', 'baseline', '-keyint_min', gop, '-sc_threshold', '0']
  const x265 = `keyint=${gop}:min-keyint=${gop}:scenecut=0:bframes=0:repeat-headers=1:log-level=error`
  return [...prompt, '-x265-params', x265]
}
