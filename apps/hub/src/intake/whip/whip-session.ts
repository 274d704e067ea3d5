// The WebRTC connection of one sender: answers its offer, passes on its packets, requests key frames.
import {
  type MediaStreamTrack,
  ReceiverEstimatedMaxBitrate,
  RTCPeerConnection,
  RTCRtpCodecParameters,
  type RTCRtpReceiver,
  RtcpPayloadSpecificFeedback,
  RtpHeader,
  type RtpPacket,
} from 'werift'
import { peerConfig } from '../../peer-config.ts'
import { payloadTypes } from '../remux-arguments.ts'

/**
 * The limit of the sender, 6 Mbit/s: 187 500 times 2 to the power of 5. Browsers begin with little and climb slowly
 * without this limit; they send less by themselves when packets are lost.
 */
const limit = { brMantissa: 187_500, brExp: 5 } as const
const LIMIT_EVERY_MS = 500

export type MediaKind = keyof typeof payloadTypes

export interface WhipSession {
  readonly answer: string
  requestKeyFrame(): void
  close(): Promise<void>
}

export interface WhipSessionOptions {
  offer: string
  localAddresses: readonly string[]
  /** RTP, and the reports by which sound and picture are brought together, in their order of arrival. */
  onPacket: (kind: MediaKind, packet: Buffer, isReport: boolean) => void
  /** The connection has failed, or the sender has closed it. */
  onClosed: () => void
}

/** As for viewers, with the feedback that a receiver sends. Without transport-wide reports: by those of werift, browsers send next to nothing. */
function receivingConfig(localAddresses: readonly string[]) {
  return {
    ...peerConfig(localAddresses),
    codecs: {
      video: [
        new RTCRtpCodecParameters({
          mimeType: 'video/H264',
          clockRate: 90_000,
          parameters: 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
          rtcpFeedback: [{ type: 'nack' }, { type: 'nack', parameter: 'pli' }, { type: 'goog-remb' }],
        }),
      ],
      audio: [new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: 48_000, channels: 2 })],
    },
  }
}

/** Throws when the offer cannot be answered. */
export async function answerSender(options: WhipSessionOptions): Promise<WhipSession> {
  const { offer, localAddresses, onPacket, onClosed } = options
  const connection = new RTCPeerConnection(receivingConfig(localAddresses))
  let video: { receiver: RTCRtpReceiver; ssrc: number } | undefined
  let isConnected = false
  const taken = new Set<MediaKind>()

  connection.onTrack.subscribe((track: MediaStreamTrack) => {
    const kind: MediaKind = track.kind === 'video' ? 'video' : 'audio'
    if (taken.has(kind)) return
    taken.add(kind)
    const receiver = connection.getTransceivers().find((one) => one.receiver.tracks.includes(track))?.receiver
    track.onReceiveRtp.subscribe((packet) => {
      if (kind === 'video' && receiver) video = { receiver, ssrc: packet.header.ssrc }
      onPacket(kind, plain(kind, packet), false)
    })
    track.onReceiveRtcp.subscribe((report) => onPacket(kind, report.serialize(), true))
  })
  connection.connectionStateChange.subscribe((state) => {
    isConnected = state === 'connected'
    if (state === 'closed' || state === 'failed') onClosed()
  })
  const limiting = setInterval(() => {
    if (video && isConnected)
      void video.receiver.dtlsTransport.sendRtcp([limitOf(video.ssrc)]).catch(() => {})
  }, LIMIT_EVERY_MS)

  async function close(): Promise<void> {
    clearInterval(limiting)
    await connection.close()
  }

  try {
    await connection.setRemoteDescription({ type: 'offer', sdp: offer })
    await connection.setLocalDescription(await connection.createAnswer())
  } catch (error) {
    await close()
    throw error
  }
  return {
    answer: connection.localDescription?.sdp ?? '',
    requestKeyFrame() {
      // One that is lost is repeated.
      if (video && isConnected) void video.receiver.sendRtcpPLI(video.ssrc).catch(() => {})
    },
    close,
  }
}

/** Without extensions, under the payload type that ffmpeg expects. */
function plain(kind: MediaKind, { header, payload }: RtpPacket): Buffer {
  const { sequenceNumber, timestamp, ssrc, marker } = header
  const own = new RtpHeader({ payloadType: payloadTypes[kind], sequenceNumber, timestamp, ssrc, marker })
  return Buffer.concat([own.serialize(own.serializeSize), payload])
}

const limitOf = (ssrc: number) =>
  new RtcpPayloadSpecificFeedback({
    feedback: new ReceiverEstimatedMaxBitrate({
      senderSsrc: 1,
      ssrcNum: 1,
      brExp: limit.brExp,
      brMantissa: limit.brMantissa,
      bitrate: BigInt(limit.brMantissa * 2 ** limit.brExp),
      ssrcFeedbacks: [ssrc],
    }),
  })
