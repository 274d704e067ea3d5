// WebRTC settings of this server: its own addresses, H.264 and Opus.
import { type PeerConfig, RTCRtpCodecParameters } from 'werift'

/** The number of UDP ports where the first one is set: the most connections at a time that find one of their own. */
const WEBRTC_PORTS = 200
const LAST_PORT = 65_535

let firstPort: number | null = null

/** The first UDP port for WebRTC; null takes any free ones. Connections that exist keep theirs. */
export function setWebRtcPort(port: number | null): void {
  firstPort = port
}

/**
 * An ICE lite endpoint only offers its own addresses (RFC 8445 §2.5), so that no packet goes to a STUN server:
 * werift would otherwise use a public one, even when none is configured.
 */
export function peerConfig(localAddresses: readonly string[]): Partial<PeerConfig> {
  return {
    iceLite: true,
    iceServers: [],
    iceUseIpv6: false,
    iceAdditionalHostAddresses: [...localAddresses],
    ...(firstPort !== null && {
      icePortRange: [firstPort, Math.min(LAST_PORT, firstPort + WEBRTC_PORTS - 1)],
    }),
    bundlePolicy: 'max-bundle',
    codecs: {
      video: [
        new RTCRtpCodecParameters({
          mimeType: 'video/H264',
          clockRate: 90_000,
          parameters: 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
          rtcpFeedback: [{ type: 'nack' }],
        }),
      ],
      audio: [new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: 48_000, channels: 2 })],
    },
  }
}
