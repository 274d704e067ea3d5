// Audio rooms: the Opus packets of each participant are forwarded to all others, with one sender per participant heard.
// Units are participants too, by another way (room-units.ts).
import { AUDIO_ROOM_PLACES } from '@backhaul/contract/nouns/audio-rooms'
import { MediaStreamTrack, RTCPeerConnection, type RTCRtpSender, RtpHeader, RtpPacket } from 'werift'
import { peerConfig } from '../peer-config.ts'
import type { RoomUnits, SpokenPacket } from './room-units.ts'

/** A browser renews its consent every few seconds (RFC 7675); one that was closed does not. */
const SILENT_AFTER_MS = 15_000
const CONNECT_WITHIN_MS = 30_000
const CHECK_MS = 2000
/** Opus packets hold 20 ms at 48 kHz; the distance between the last packet of a participant who left and the first of the next. */
const PACKET_TICKS = 960

export interface AudioBridge {
  /** Answers the offer; throws when it cannot be read, and RoomFull. `echo` also sends them their own voice. */
  join(entrant: { roomId: string; sessionId: string; offer: string; echo: boolean }): Promise<string>
  /** Returns whether the session existed. */
  leave(sessionId: string): boolean
  /** Ids of all who are in a room, in every room. */
  sessions(): string[]
  /** The speech of a unit in a room. */
  say(packet: SpokenPacket): void
  /** The unit has left the room, or counts its packets from the beginning: its places are free. */
  left(roomId: string, speakerId: string): void
  stop(): void
}

/** All places of the room are taken. */
export class RoomFull extends Error {}

interface Participant {
  readonly sessionId: string
  readonly roomId: string
  readonly connection: RTCPeerConnection
  /** The senders that carry the others to this participant, one for each. */
  readonly places: { sender: RTCRtpSender; of: string | undefined }[]
  isConnected: boolean
  heardMs: number
}

/** `units` are in the rooms too. */
export function createAudioBridge(
  localAddresses: readonly string[],
  units: Pick<RoomUnits, 'countIn' | 'hear'>,
): AudioBridge {
  const participants = new Map<string, Participant>()
  const inRoom = (roomId: string) => [...participants.values()].filter((one) => one.roomId === roomId)

  /** The sender by which `listener` hears a speaker; a free one at first, none when all are taken. */
  function placeOf(listener: Participant, speakerId: string, packet: RtpPacket): RTCRtpSender | undefined {
    const known = listener.places.find(({ of }) => of === speakerId)
    if (known) return known.sender
    const free = listener.places.find(({ of }) => of === undefined)
    if (!free) return undefined
    free.of = speakerId
    free.sender.replaceRTP(packet.header, true, PACKET_TICKS)
    return free.sender
  }

  function sendTo(listeners: readonly Participant[], speakerId: string, packet: RtpPacket): void {
    for (const listener of listeners) {
      if (!listener.isConnected) continue
      // A packet that cannot be sent counts as lost on the way.
      placeOf(listener, speakerId, packet)
        ?.sendRtp(packet)
        .catch(() => {})
    }
  }

  function passOn(speaker: Participant, packet: RtpPacket, echo: boolean): void {
    const { roomId, sessionId: speakerId } = speaker
    speaker.heardMs = performance.now()
    sendTo(
      inRoom(roomId).filter((listener) => listener !== speaker || echo),
      speakerId,
      packet,
    )
    const { sequenceNumber, timestamp } = packet.header
    units.hear({ roomId, speakerId, sequenceNumber, timestamp, payload: packet.payload })
  }

  function left(roomId: string, speakerId: string): void {
    for (const { places } of inRoom(roomId))
      for (const place of places) if (place.of === speakerId) place.of = undefined
  }

  function leave(sessionId: string): boolean {
    const participant = participants.get(sessionId)
    if (!participant) return false
    participants.delete(sessionId)
    left(participant.roomId, sessionId)
    void participant.connection.close()
    return true
  }

  const watch = setInterval(() => {
    for (const { sessionId, heardMs, isConnected } of [...participants.values()])
      if (performance.now() - heardMs > (isConnected ? SILENT_AFTER_MS : CONNECT_WITHIN_MS)) leave(sessionId)
  }, CHECK_MS)

  return {
    async join({ roomId, sessionId, offer, echo }) {
      if (inRoom(roomId).length + units.countIn(roomId) >= AUDIO_ROOM_PLACES) throw new RoomFull()
      const connection = new RTCPeerConnection(peerConfig(localAddresses))
      const places = Array.from({ length: AUDIO_ROOM_PLACES }, (_, at) => {
        const direction = at === 0 ? 'sendrecv' : 'sendonly'
        const transceiver = connection.addTransceiver(new MediaStreamTrack({ kind: 'audio' }), { direction })
        return { sender: transceiver.sender, of: undefined as string | undefined }
      })
      const participant: Participant = {
        sessionId,
        roomId,
        connection,
        places,
        isConnected: false,
        heardMs: performance.now(),
      }
      participants.set(sessionId, participant)
      connection.onTrack.subscribe((track) => {
        track.onReceiveRtp.subscribe((packet) => passOn(participant, packet, echo))
      })
      connection.connectionStateChange.subscribe((state) => {
        if (state === 'connected') participant.isConnected = true
        if (state === 'closed' || state === 'failed') leave(sessionId)
      })
      for (const { sender } of places)
        sender.onRtcp.subscribe(() => {
          participant.heardMs = performance.now()
        })
      try {
        await connection.setRemoteDescription({ type: 'offer', sdp: offer })
        await connection.setLocalDescription(await connection.createAnswer())
      } catch (error) {
        leave(sessionId)
        throw error
      }
      return connection.localDescription?.sdp ?? ''
    },
    leave,
    say({ roomId, speakerId, sequenceNumber, timestamp, payload }) {
      const packet = new RtpPacket(new RtpHeader({ sequenceNumber, timestamp }), payload)
      sendTo(inRoom(roomId), speakerId, packet)
    },
    left,
    sessions: () => [...participants.keys()],
    stop() {
      clearInterval(watch)
      for (const id of [...participants.keys()]) leave(id)
    },
  }
}
