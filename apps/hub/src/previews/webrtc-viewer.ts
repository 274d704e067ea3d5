// One WebRTC viewer: answers an offer, forwards the channel's RTP feed, detects when the viewer is gone.
import { MediaStreamTrack, RTCPeerConnection, type RTCRtpSender } from 'werift'
import { peerConfig } from '../peer-config.ts'
import { startPicture } from './opening.ts'
import type { RtpFeed } from './rtp-feed.ts'
import { startRtpSending } from './rtp-sending.ts'

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
  let sending: ReturnType<typeof startSending> | undefined

  const close = () => {
    clearInterval(watch)
    leave()
    sending?.stop()
    void connection.close()
    onClosed()
  }
  const watch = setInterval(() => {
    if (performance.now() - seenMs > (sending ? SILENT_AFTER_MS : CONNECT_WITHIN_MS)) closeOnce()
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
    if (state !== 'connected' || sending || closed) return
    sending = startSending(connection, senders, rtp)
    seenMs = performance.now()
  })
  // Joins before the connection is established, so that there is a picture to begin with by then.
  const leave = rtp.join((kind, packet, opens) => sending?.take(kind, packet, opens))
  try {
    await connection.setRemoteDescription({ type: 'offer', sdp: offer })
    await connection.setLocalDescription(await connection.createAnswer())
  } catch (error) {
    closeOnce()
    throw error
  }
  return { answer: connection.localDescription?.sdp ?? '', close: closeOnce }
}

/**
 * Each in a media stream of its own: a browser holds back what is ahead of the rest of its stream, and the sound, which is coded
 * a second time, comes later and less evenly than the picture.
 */
function addSender(connection: RTCPeerConnection, kind: 'video' | 'audio'): RTCRtpSender {
  const { sender } = connection.addTransceiver(new MediaStreamTrack({ kind }), { direction: 'sendonly' })
  sender.streamId = kind
  return sender
}

function startSending(
  { cname }: RTCPeerConnection,
  senders: Record<'video' | 'audio', RTCRtpSender>,
  rtp: RtpFeed,
) {
  const start = (kind: 'video' | 'audio') =>
    startRtpSending({ sender: senders[kind], cname, find: (sequence) => rtp.find(kind, sequence) })
  const [video, audio] = [start('video'), start('audio')]
  const picture = video && startPicture(video, rtp.group())
  return {
    take(kind: 'video' | 'audio', packet: Buffer, opens: boolean): void {
      if (kind === 'video') picture?.take(packet, opens)
      else audio?.send(packet)
    },
    stop(): void {
      picture?.stop()
      video?.stop()
      audio?.stop()
    },
  }
}
