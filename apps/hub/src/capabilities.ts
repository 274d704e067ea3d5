import type { ServerCapabilities } from '@backhaul/contract/nouns/servers'
import { type FfmpegCapabilities, findFfmpeg, probeFfmpeg } from '@backhaul/ffmpeg/find'
import type { Log } from '@backhaul/runtime/log'
import type { UsableFfmpeg } from './messages.ts'

/** The protocols that this program has a use for; what else ffmpeg can do does not matter here. */
const inputs = ['srt', 'rtmp'] as const
const outputs = { srt: 'srt', rtmp: 'rtmp', udp: 'mpegts' } as const
const encoders = ['libx264', 'libx265', 'aac', 'libopus', 'mjpeg']

export interface Found {
  readonly capabilities: ServerCapabilities
  readonly ffmpeg: UsableFfmpeg | undefined
}

/**
 * Bonded intake and MPEG-TS previews need no ffmpeg; everything else depends on the ffmpeg that was found, and on the
 * door for the public, which the owner opens.
 */
export function capabilitiesOf(
  ffmpeg: FfmpegCapabilities | undefined,
  hasWebDoor: boolean,
): ServerCapabilities {
  return {
    protocolsIn: [
      'rist',
      ...inputs.filter((name) => ffmpeg?.protocolsIn.includes(name)),
      ...(hasWebDoor && ffmpeg?.protocolsIn.includes('rtp') && ffmpeg.encoders.includes('aac')
        ? ['webrtc']
        : []),
    ],
    protocolsOut: [
      ...Object.entries(outputs)
        .filter(([name]) => ffmpeg?.protocolsOut.includes(name))
        .map(([, word]) => word),
      // To ffmpeg a format, not a protocol.
      ...(ffmpeg?.muxers.includes('rtsp') ? ['rtsp'] : []),
      ...(hasWebDoor && ffmpeg?.muxers.includes('mp4') && ffmpeg.encoders.includes('aac') ? ['hls'] : []),
    ],
    encoders: encoders.filter((name) => ffmpeg?.encoders.includes(name)),
    ffmpegVersion: ffmpeg?.version ?? null,
    // Streams are forwarded unchanged.
    fourK: true,
    overlays: canOverlay(ffmpeg),
    audioRooms: true,
    logs: true,
    uploads: true,
  }
}

const canOverlay = (ffmpeg: FfmpegCapabilities | undefined): boolean =>
  ffmpeg?.filters.includes('overlay') === true && ffmpeg.encoders.includes('libx264')

/** Since 6.1; builds between releases are named by their commit. */
export function hasEnhancedFlv(version: string): boolean {
  const [, major, minor] = /^n?(\d+)\.(\d+)/.exec(version) ?? []
  if (major === undefined) return /^N-\d/.test(version)
  return Number(major) * 100 + Number(minor) >= 601
}

export async function findCapabilities(
  env: Readonly<Record<string, string | undefined>>,
  log: Log,
  hasWebDoor = false,
): Promise<Found> {
  const path = findFfmpeg(env)
  const probed = path
    ? await probeFfmpeg(path).catch((error: unknown) => {
        log.warn(error, 'ffmpeg could not be started')
        return undefined
      })
    : undefined
  const capabilities = capabilitiesOf(probed, hasWebDoor)
  if (!probed) return { capabilities, ffmpeg: undefined }
  const ffmpeg = {
    path: probed.path,
    hasOpus: probed.encoders.includes('libopus'),
    hasDrawtext: probed.filters.includes('drawtext'),
    canOverlay: canOverlay(probed),
    hasEnhancedFlv: hasEnhancedFlv(probed.version),
  }
  return { capabilities, ffmpeg }
}
