import { type MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters } from 'werift'

/** A WebRTC player without a decoder: counts what arrives. */
export interface WhepClient {
  readonly answer: string
  readonly location: string
  packets(kind: 'video' | 'audio'): number
  /** NAL unit type of the first video packet. */
  firstVideoType(): number | undefined
  close(): Promise<void>
}

export async function playWhep(url: string, headers: Record<string, string>): Promise<WhepClient> {
  const connection = new RTCPeerConnection({
    // No server answers there: only the addresses of this machine matter.
    iceServers: [{ urls: 'stun:127.0.0.1:9' }],
    iceStunGatherTimeout: 0.1,
    iceUseIpv6: false,
    iceAdditionalHostAddresses: ['127.0.0.1'],
    codecs: {
      video: [
        new RTCRtpCodecParameters({
          mimeType: 'video/H264',
          clockRate: 90_000,
          parameters: 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
        }),
      ],
      audio: [new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: 48_000, channels: 2 })],
    },
  })
  const counts = { video: 0, audio: 0 }
  let firstVideoType: number | undefined
  connection.addTransceiver('video', { direction: 'recvonly' })
  connection.addTransceiver('audio', { direction: 'recvonly' })
  connection.onTrack.subscribe((track: MediaStreamTrack) => {
    track.onReceiveRtp.subscribe(({ payload }) => {
      const kind = track.kind === 'video' ? 'video' : 'audio'
      counts[kind]++
      if (kind === 'video') firstVideoType ??= payload[0]! & 0x1f
    })
  })
  await connection.setLocalDescription(await connection.createOffer())
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/sdp' },
    // Like the console, which sends its offer before it has candidates.
    body: connection.localDescription!.sdp.replace(/^a=(candidate|end-of-candidates).*\r\n/gm, ''),
  })
  const answer = await response.text()
  if (response.status !== 201) throw new Error(`${response.status} ${answer}`)
  await connection.setRemoteDescription({ type: 'answer', sdp: answer })
  return {
    answer,
    location: new URL(response.headers.get('location') ?? '', url).href,
    packets: (kind) => counts[kind],
    firstVideoType: () => firstVideoType,
    close: () => connection.close(),
  }
}
