// The outputs of a destination on the server: one, or two where there is a second address. Pure.
import type { Output } from '@backhaul/contract/gateway/servers'
import {
  type DestinationRequest,
  destinationAddress,
  type StreamType,
} from '@backhaul/contract/nouns/destinations'

export const protocolOf = {
  RTMP: 'rtmp',
  SRT: 'srt',
  'MPEG-TS': 'mpegts',
  RTSP: 'rtsp',
  HLS: 'hls',
} as const satisfies Record<StreamType, Output['protocol']>

/** A destination as stored, with the key of its readers where they fetch it. */
export type StoredSettings = DestinationRequest & { readKey?: string }

export function outputsOf(id: string, destination: StoredSettings): [Output, ...Output[]] {
  const { streamType, constantMuxRate, sourcePort, urlSecondary, lowLatency, maxReaders } = destination
  const encoding = encodingOf(destination)
  const common = {
    protocol: protocolOf[streamType],
    ...(encoding && { encoding }),
    ...(constantMuxRate && { muxRateKbps: constantMuxRate }),
    ...(sourcePort && { sourcePort }),
    ...(lowLatency && { lowLatency }),
    ...(maxReaders && { maxReaders }),
  }
  const first = { id, url: urlOf(destination), ...common }
  if (!urlSecondary) return [first]
  return [first, { id: `${id}-2`, url: urlOf({ ...destination, urlPrimary: urlSecondary }), ...common }]
}

/** The picture is encoded again only where the destination sets another format. */
export function encodingOf(destination: DestinationRequest): Output['encoding'] {
  const { videoProfile, bitRate, videoBitrate, resolution, maxFrameRate } = destination
  if ([videoProfile, bitRate, videoBitrate, resolution, maxFrameRate].every((one) => one === undefined))
    return undefined
  const videoKbps =
    videoBitrate ?? (bitRate === undefined ? undefined : Math.max(50, bitRate - soundKbps(bitRate)))
  return {
    ...(videoProfile && { profile: videoProfile }),
    ...(videoKbps && { videoKbps }),
    ...(resolution && { resolution }),
    ...(maxFrameRate && { maxFrameRate }),
  }
}

/** Its share of the whole rate. */
const soundKbps = (bitRate: number) => Math.min(128, Math.round(bitRate / 8))

function urlOf(destination: StoredSettings): string {
  const { streamType, streamId, srtMode = 'caller', latency, passphrase } = destination
  const address = destinationAddress(destination)
  if (streamType === 'RTMP') {
    const base = withPerson(address, destination)
    return streamId ? `${base.replace(/\/+$/, '')}/${streamId}` : base
  }
  if (streamType === 'RTSP') return withPerson(address, destination)
  if (streamType === 'MPEG-TS') return address
  if (streamType === 'HLS') return `hls://${destination.readKey}`
  const query = new URLSearchParams({
    mode: srtMode,
    // ffmpeg counts it in microseconds.
    ...(latency !== undefined && { latency: String(latency * 1000) }),
    ...(passphrase && { passphrase }),
    ...(streamId && { streamid: streamId }),
  })
  return `${address}?${query}`
}

function withPerson(url: string, { username, password }: DestinationRequest): string {
  if (!username) return url
  const credentials = [username, password ?? ''].map(encodeURIComponent).join(':')
  return url.replace('://', `://${credentials}@`)
}
