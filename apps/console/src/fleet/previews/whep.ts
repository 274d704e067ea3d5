// WebRTC pictures from core by WHEP (RFC 9725): one offer, one answer, one address to hang up.
import { CSRF_HEADER } from '@backhaul/contract/define/endpoint'
import { whepPath } from '@backhaul/contract/nouns/previews'
import { csrfToken } from '../../doors/api.ts'

export interface WhepCall {
  stream: MediaStream
  /** Milliseconds since the last picture arrived; Infinity before the first. */
  silentMs(): Promise<number>
  hangUp(): void
}

export async function callByWhep(
  channelId: string,
  signal: AbortSignal,
  iceServers: RTCIceServer[] = [],
): Promise<WhepCall> {
  const peer = new RTCPeerConnection({ iceServers })
  const stream = new MediaStream()
  let address: string | undefined
  const hangUp = () => {
    peer.close()
    const call = address
    // Leaving ends the call, and so does what followed it: it is hung up once.
    address = undefined
    if (call !== undefined)
      void fetch(call, { method: 'DELETE', headers: writeHeaders(), keepalive: true }).catch(() => {})
  }
  signal.addEventListener('abort', hangUp, { once: true })
  try {
    peer.addTransceiver('video', { direction: 'recvonly' })
    peer.addTransceiver('audio', { direction: 'recvonly' })
    peer.addEventListener('track', ({ track }) => stream.addTrack(track))
    // The hub is an ICE lite endpoint (RFC 8445 §2.5): it answers checks, and needs no candidates of ours.
    await peer.setLocalDescription(await peer.createOffer())
    const reply = await fetch(whepPath(channelId), {
      method: 'POST',
      headers: { 'content-type': 'application/sdp', ...writeHeaders() },
      body: peer.localDescription?.sdp ?? '',
      signal,
    })
    if (reply.status !== 201) throw new Error(`preview refused with ${reply.status}`)
    address = reply.headers.get('location') ?? undefined
    await peer.setRemoteDescription({ type: 'answer', sdp: await reply.text() })
    return { stream, silentMs: silenceOf(peer), hangUp }
  } catch (error) {
    hangUp()
    throw error
  }
}

function writeHeaders(): Record<string, string> {
  const token = csrfToken()
  return token === undefined ? {} : { [CSRF_HEADER]: token }
}

/** Counts decoded pictures: a call that remains open while nothing arrives shows no live picture. */
function silenceOf(peer: RTCPeerConnection): () => Promise<number> {
  let decoded = 0
  let grewAt = Number.NEGATIVE_INFINITY
  return async () => {
    for (const report of (await peer.getStats()).values()) {
      if (report.type !== 'inbound-rtp' || report.kind !== 'video') continue
      const frames = (report as { framesDecoded?: number }).framesDecoded ?? 0
      if (frames > decoded) grewAt = performance.now()
      decoded = frames
    }
    return performance.now() - grewAt
  }
}
