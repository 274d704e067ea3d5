import { sourceSchemes } from '@backhaul/contract/nouns/input-sources'
import type { ServerCapabilities } from '@backhaul/contract/nouns/servers'
import { type FfmpegCapabilities, findFfmpeg, probeFfmpeg } from '@backhaul/ffmpeg/find'
import type { Log } from '@backhaul/runtime/log'
import type { UsableFfmpeg } from './messages.ts'

/** The protocols that this program has a use for; other protocols of ffmpeg are not relevant here. */
const inputs = ['srt', 'rist', 'rtmp'] as const
const outputs = { srt: 'srt', rtmp: 'rtmp', udp: 'mpegts' } as const
const encoders = ['libx264', 'libx265', 'aac', 'libopus', 'mjpeg']

/** The properties of ffmpeg that decide. */
const decisive = ['protocolsIn', 'protocolsOut', 'encoders', 'muxers', 'filters'] as const
type DecisiveFfmpeg = Pick<FfmpegCapabilities, 'path' | 'version' | (typeof decisive)[number]>

export interface Found {
  readonly capabilities: ServerCapabilities
  readonly ffmpeg: UsableFfmpeg | undefined
}

/** The doors that the owner has opened. */
export interface Opened {
  /** The door for the public. */
  readonly web: boolean
  /** Outputs in the networks of a studio. */
  readonly smpte: boolean
}

/**
 * Bonded intake and MPEG-TS previews need no ffmpeg; everything else depends on the ffmpeg that was found, and on what
 * the owner has opened.
 */
export function capabilitiesOf(ffmpeg: DecisiveFfmpeg | undefined, opened: Opened): ServerCapabilities {
  return {
    protocolsIn: [
      'bonded',
      ...inputs.filter((name) => ffmpeg?.protocolsIn.includes(name)),
      ...(opened.web && ffmpeg?.protocolsIn.includes('rtp') && ffmpeg.encoders.includes('aac')
        ? ['webrtc']
        : []),
    ],
    protocolsOut: [
      ...Object.entries(outputs)
        .filter(([name]) => ffmpeg?.protocolsOut.includes(name))
        .map(([, word]) => word),
      // To ffmpeg a format, not a protocol.
      ...(ffmpeg?.muxers.includes('rtsp') ? ['rtsp'] : []),
      ...(opened.web && ffmpeg?.muxers.includes('mp4') && ffmpeg.encoders.includes('aac') ? ['hls'] : []),
    ],
    encoders: encoders.filter((name) => ffmpeg?.encoders.includes(name)),
    ffmpegVersion: ffmpeg?.version ?? null,
    sources: sourceSchemes.filter((name) => ffmpeg?.protocolsIn.includes(name === 'rtsp' ? 'rtp' : name)),
    // Streams are forwarded unchanged.
    fourK: true,
    overlays: canOverlay(ffmpeg),
    ...(canSendSmpte(ffmpeg, opened) && {
      smpte2110: true,
      smpteOutputs: { flavors: ['ST 2110-20'], ancillary: false },
    }),
    audioRooms: true,
    logs: true,
    uploads: true,
  }
}

const canOverlay = (ffmpeg: DecisiveFfmpeg | undefined): boolean =>
  ffmpeg?.filters.includes('overlay') === true && ffmpeg.encoders.includes('libx264')

const canSendSmpte = (ffmpeg: DecisiveFfmpeg | undefined, { smpte }: Opened): boolean =>
  smpte &&
  ffmpeg?.muxers.includes('rtp') === true &&
  ['bitpacked', 'pcm_s24be'].every((name) => ffmpeg.encoders.includes(name))

/** Whether ffmpeg is of version 6.1 or newer; builds between releases are named by their commit. */
export function hasEnhancedFlv(version: string): boolean {
  const [, major, minor] = /^n?(\d+)\.(\d+)/.exec(version) ?? []
  if (major === undefined) return /^N-\d/.test(version)
  return Number(major) * 100 + Number(minor) >= 601
}

export async function findCapabilities(
  env: Readonly<Record<string, string | undefined>>,
  log: Log,
  opened: Opened,
): Promise<Found> {
  const path = findFfmpeg(env)
  const probed = path
    ? await probeFfmpeg(path, decisive).catch((error: unknown) => {
        log.warn(error, 'ffmpeg could not be started')
        return undefined
      })
    : undefined
  const capabilities = capabilitiesOf(probed, opened)
  if (!probed) return { capabilities, ffmpeg: undefined }
  const ffmpeg = {
    path: probed.path,
    hasOpus: probed.encoders.includes('libopus'),
    hasDrawtext: probed.filters.includes('drawtext'),
    canOverlay: canOverlay(probed),
    canSendSmpte: canSendSmpte(probed, opened),
    hasEnhancedFlv: hasEnhancedFlv(probed.version),
  }
  return { capabilities, ffmpeg }
}
