// One stream to one WebRTC viewer: seals the packets of a feed, repeats those that the viewer requests, reports once a second.
import {
  type RTCRtpSender,
  RtcpSenderInfo,
  RtcpSourceDescriptionPacket,
  RtcpSrPacket,
  SourceDescriptionChunk,
  SourceDescriptionItem,
} from 'werift'
import { createSrtpSeal } from './srtp-seal.ts'

const REPORT_MS = 1000
const HEADER_BYTES = 12
/** From 1900, where network time begins, to 1970. */
const NTP_OFFSET_S = 2_208_988_800
const CNAME = 1

export interface RtpSending {
  /** Sends a packet, with another stamp than its own where one is given. */
  send(packet: Buffer, stamp?: number): void
  stop(): void
}

export interface RtpSendingOptions {
  sender: RTCRtpSender
  cname: string
  /** A packet of the feed by its sequence number. */
  find: (sequence: number) => Buffer | undefined
}

/** Once the connection is established; undefined for a track that the viewer did not request. */
export function startRtpSending({ sender, cname, find }: RtpSendingOptions): RtpSending | undefined {
  const { codec, dtlsTransport, ssrc } = sender
  if (!codec || !dtlsTransport?.srtp) return undefined
  const seal = createSrtpSeal(dtlsTransport.srtp.localContext, { ssrc, payloadType: codec.payloadType })
  const { connection } = dtlsTransport.iceTransport
  /** The stamps of packets that were sent with another one than their own; a repeated packet needs the same. */
  const stamps = new WeakMap<Buffer, number>()
  let packets = 0
  let bytes = 0
  let last: { atMs: number; stamp: number } | undefined

  function transmit(packet: Buffer, stamp: number | undefined): void {
    const sealed = seal(packet, stamp)
    // A packet that cannot be sent counts as lost on the way.
    if (sealed) connection.send(sealed).catch(() => {})
  }

  function report(): void {
    if (!last) return
    const senderInfo = new RtcpSenderInfo({
      ntpTimestamp: ntpOf(last.atMs),
      rtpTimestamp: last.stamp,
      packetCount: packets >>> 0,
      octetCount: bytes >>> 0,
    })
    const items = [new SourceDescriptionItem({ type: CNAME, text: cname })]
    const description = new RtcpSourceDescriptionPacket({
      chunks: [new SourceDescriptionChunk({ source: ssrc, items })],
    })
    dtlsTransport.sendRtcp([new RtcpSrPacket({ ssrc, senderInfo }), description]).catch(() => {})
  }

  const repeating = sender.onGenericNack.subscribe(({ lost }) => {
    for (const sequence of lost) {
      const packet = find(sequence)
      if (packet) transmit(packet, stamps.get(packet))
    }
  })
  const reports = setInterval(report, REPORT_MS)
  return {
    send(packet, stamp) {
      if (stamp !== undefined) stamps.set(packet, stamp)
      transmit(packet, stamp)
      packets++
      bytes += packet.length - HEADER_BYTES
      last = { atMs: Date.now(), stamp: stamp ?? packet.readUInt32BE(4) }
    },
    stop() {
      clearInterval(reports)
      repeating.unSubscribe()
    },
  }
}

/** Seconds since 1900 in 32 bits, and their fraction in 32 more. */
function ntpOf(timeMs: number): bigint {
  return (
    (BigInt(Math.floor(timeMs / 1000) + NTP_OFFSET_S) << 32n) |
    BigInt(Math.floor(((timeMs % 1000) * 2 ** 32) / 1000))
  )
}
