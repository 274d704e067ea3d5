// One WebRTC viewer: answers an offer, forwards the channel's RTP feed, detects when the viewer is gone.
import { MediaStreamTrack, RTCPeerConnection, type RTCRtpSender, RtpPacket } from 'werift'
import { peerConfig } from '../peer-config.ts'
import type { RtpFeed } from './rtp-feed.ts'

/** Receivers report each second or so; a browser that was closed is silent. */
const SILENT_AFTER_MS = 15_000
const CONNECT_WITHIN_MS = 30_000
const CHECK_MS = 5000

export interface Viewer {
  readonly answer: string
  close(): void
}

/** Throws when the offer cannot be read. `onClosed` is called once, whichever side ended it. */
export async function admitViewer(options: {
  offer: string
  rtp: RtpFeed
  localAddresses: readonly string[]
  onClosed: () => void
}): Promise<Viewer> {
  const { offer, rtp, localAddresses, onClosed } = options
  const connection = new RTCPeerConnection(peerConfig(localAddresses))
  const senders = {
    video: addSender(connection, 'video'),
    audio: addSender(connection, 'audio'),
  }
  let seenMs = performance.now()
  let isConnected = false

  const close = () => {
    clearInterval(watch)
    leave()
    void connection.close()
    onClosed()
  }
  const watch = setInterval(() => {
    if (performance.now() - seenMs > (isConnected ? SILENT_AFTER_MS : CONNECT_WITHIN_MS)) closeOnce()
  }, CHECK_MS)
  let closed = false
  function closeOnce(): void {
    if (closed) return
    closed = true
    close()
  }

  for (const sender of Object.values(senders))
    sender.onRtcp.subscribe(() => {
      seenMs = performance.now()
    })
  connection.connectionStateChange.subscribe((state) => {
    if (state === 'closed' || state === 'failed') closeOnce()
    if (state !== 'connected' || isConnected || closed) return
    isConnected = true
    seenMs = performance.now()
  })
  // Joins before the connection is established, so that the feed's program starts meanwhile.
  const leave = rtp.join(sendFromKeyFrame(senders, () => isConnected))
  try {
    await connection.setRemoteDescription({ type: 'offer', sdp: offer })
    await connection.setLocalDescription(await connection.createAnswer())
  } catch (error) {
    closeOnce()
    throw error
  }
  return { answer: connection.localDescription?.sdp ?? '', close: closeOnce }
}

function addSender(connection: RTCPeerConnection, kind: 'video' | 'audio'): RTCRtpSender {
  const track = new MediaStreamTrack({ kind })
  return connection.addTransceiver(track, { direction: 'sendonly' }).sender
}

/** Nothing can be decoded before the first group of pictures opens; sound may be sent immediately. */
function sendFromKeyFrame(senders: Record<'video' | 'audio', RTCRtpSender>, isConnected: () => boolean) {
  let hasBegun = false
  return (kind: 'video' | 'audio', packet: Buffer, opens: boolean): void => {
    if (!isConnected()) return
    hasBegun ||= opens
    if (kind === 'video' && !hasBegun) return
    // A packet that cannot be sent counts as lost on the way.
    senders[kind].sendRtp(RtpPacket.deSerialize(packet)).catch(() => {})
  }
}
