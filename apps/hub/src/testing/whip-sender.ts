// A WebRTC sender without a browser: a film that ffmpeg makes as RTP, sent by WHIP as RFC 9725 has it.
import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import type { AddressInfo } from 'node:net'
import { MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters, RtpPacket } from 'werift'
import { isRtp, payloadTypeOf } from '../rtp-packets.ts'

export interface WhipSender {
  /** The answer of the server to the offer. */
  readonly response: Response
  /** The address of the session, to end it. */
  readonly location: string
  /** Stops sending without a word, as a modem loses its network. */
  mute(): void
  stop(): Promise<void>
}

const codecs = {
  h264: new RTCRtpCodecParameters({
    mimeType: 'video/H264',
    clockRate: 90_000,
    parameters: 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
    rtcpFeedback: [{ type: 'nack' }, { type: 'nack', parameter: 'pli' }],
  }),
  vp8: new RTCRtpCodecParameters({ mimeType: 'video/VP8', clockRate: 90_000 }),
} as const

const source =
  '-hide_banner -v error -nostdin -re -f lavfi -i testsrc2=size=640x360:rate=25 -f lavfi -i sine=440'
const picture = '-map 0:v -c:v libx264 -preset ultrafast -tune zerolatency -profile:v baseline -b:v 1M -g 25'
const sound = '-map 1:a -c:a libopus -ar 48000 -ac 2'

export async function sendByWhip(
  url: string,
  headers: Record<string, string>,
  video: keyof typeof codecs = 'h264',
): Promise<WhipSender> {
  const connection = new RTCPeerConnection({
    // No server answers there: only the addresses of this machine matter.
    iceServers: [{ urls: 'stun:127.0.0.1:9' }],
    iceStunGatherTimeout: 0.1,
    iceUseIpv6: false,
    iceAdditionalHostAddresses: ['127.0.0.1'],
    codecs: {
      video: [codecs[video]],
      audio: [new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: 48_000, channels: 2 })],
    },
  })
  const senders = (['video', 'audio'] as const).map(
    (kind) => connection.addTransceiver(new MediaStreamTrack({ kind }), { direction: 'sendonly' }).sender,
  )
  await connection.setLocalDescription(await connection.createOffer())
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/sdp' },
    body: connection.localDescription!.sdp,
  })
  const socket = createSocket('udp4')
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done))
  const { port } = socket.address() as AddressInfo
  const to = (payloadType: number) =>
    `-payload_type ${payloadType} -f rtp rtp://127.0.0.1:${port}?rtcpport=${port}&pkt_size=1200`
  let isMute = response.status !== 201
  socket.on('message', (packet) => {
    const sender = senders[payloadTypeOf(packet) - 96]
    if (isMute || !isRtp(packet) || !sender) return
    sender.sendRtp(RtpPacket.deSerialize(packet)).catch(() => {})
  })
  if (response.status === 201)
    await connection.setRemoteDescription({ type: 'answer', sdp: await response.clone().text() })
  const film = `${source} ${picture} ${to(96)} ${sound} ${to(97)}`
  const encoder = spawn('ffmpeg', film.split(' '), { stdio: 'ignore' })
  return {
    response,
    location: new URL(response.headers.get('location') ?? '', url).href,
    mute() {
      isMute = true
    },
    async stop() {
      isMute = true
      encoder.kill('SIGKILL')
      await connection.close()
      socket.close()
    },
  }
}
