// The way of a page into an audio room: microphone out, every other voice in, by WebRTC to the server of the room.
import { AUDIO_ROOM_PLACES, type AudioSession } from '@backhaul/contract/nouns/audio-rooms'

export interface RoomConnection {
  /** A closed microphone sends silence. */
  setMicrophone(isOpen: boolean): void
  close(): Promise<void>
}

interface Way {
  microphone: MediaStream
  isOpen: boolean
  iceServers: RTCIceServer[]
  /** Hands the offer to core, which answers it. */
  answer(sdp: string): Promise<AudioSession>
  end(session: string): Promise<void>
  /** Number of voices received over the last second. */
  onHears(count: number): void
  onLost(): void
}

const connectWithinMs = 15_000
const countEveryMs = 1000

/** Undefined without one, where the user or the browser refuses it, and on a page that is not from HTTPS or this machine. */
export const openMicrophone = (): Promise<MediaStream | undefined> =>
  Promise.resolve(
    navigator.mediaDevices?.getUserMedia({
      audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true },
    }),
  ).catch(() => undefined)

/** Rejects when core refuses, and when the server is not reached. */
export async function enterRoom({
  microphone,
  iceServers,
  answer,
  end,
  onHears,
  onLost,
  isOpen,
}: Way): Promise<RoomConnection> {
  const setMicrophone = (opens: boolean) => {
    for (const track of microphone.getAudioTracks()) track.enabled = opens
  }
  setMicrophone(isOpen)
  const peer = new RTCPeerConnection({ iceServers, bundlePolicy: 'max-bundle' })
  const speakers: HTMLAudioElement[] = []
  let timer: ReturnType<typeof setInterval> | undefined
  let session: string | undefined
  async function close(): Promise<void> {
    clearInterval(timer)
    peer.onconnectionstatechange = null
    peer.close()
    for (const track of microphone.getTracks()) track.stop()
    for (const speaker of speakers) speaker.srcObject = null
    if (session !== undefined) await end(session).catch(() => {})
  }
  peer.ontrack = ({ track }) => {
    const speaker = new Audio()
    speaker.srcObject = new MediaStream([track])
    speakers.push(speaker)
    void speaker.play().catch(() => {})
  }
  try {
    for (const track of microphone.getAudioTracks()) peer.addTransceiver(track, { direction: 'sendrecv' })
    for (let at = 1; at < AUDIO_ROOM_PLACES; at++) peer.addTransceiver('audio', { direction: 'recvonly' })
    // The hub is an ICE lite endpoint (RFC 8445 §2.5): it answers checks, and needs no candidates of ours.
    await peer.setLocalDescription()
    const answered = await answer(peer.localDescription?.sdp ?? '')
    session = answered.session
    await peer.setRemoteDescription({ type: 'answer', sdp: answered.sdp })
    await connected(peer)
  } catch (error) {
    await close()
    throw error
  }
  peer.onconnectionstatechange = () => {
    if (peer.connectionState === 'failed' || peer.connectionState === 'closed') onLost()
  }
  const count = voiceCounter(peer)
  timer = setInterval(() => void count().then(onHears, () => {}), countEveryMs)
  return { setMicrophone, close }
}

async function connected(peer: RTCPeerConnection): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const fail = () => reject(new Error('The server of the audio room is not reached'))
  const limit = setTimeout(fail, connectWithinMs)
  peer.onconnectionstatechange = () => {
    if (peer.connectionState === 'connected') resolve()
    if (peer.connectionState === 'failed') fail()
  }
  if (peer.connectionState === 'connected') resolve()
  await promise.finally(() => clearTimeout(limit))
}

/** Each call answers on how many places packets came since the last one. */
function voiceCounter(peer: RTCPeerConnection): () => Promise<number> {
  const before = new Map<string, number>()
  return async () => {
    let voices = 0
    for (const report of (await peer.getStats()).values()) {
      if (report.type !== 'inbound-rtp') continue
      const received = Number(report.packetsReceived ?? 0)
      if (received > (before.get(report.id) ?? 0)) voices++
      before.set(report.id, received)
    }
    return voices
  }
}
