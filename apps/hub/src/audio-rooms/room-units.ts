// Units in audio rooms: the sound of each goes to the browsers and the other units, and each hears all but itself.
import type { WantedSpeech } from '@backhaul/contract/gateway/servers'
import type { Log } from '@backhaul/runtime/log'
import {
  createSpeechDecoder,
  createSpeechEncoder,
  type SpeechDecoder,
  type SpeechEncoder,
} from '@backhaul/speech/codec'
import { FRAME_SAMPLES, type Frame } from '@backhaul/speech/frames'
import { mixMinus, sumOf } from '@backhaul/speech/mixing'
import { everyFrame } from '@backhaul/speech/pace'
import { createSpeechBuffer, type SpeechBuffer } from '@backhaul/speech/speech-buffer'
import { openSpeechPort, type SpeechPort, type SpeechWay } from '@backhaul/speech/speech-port'
import { openPreferredPort } from '../preferred-port.ts'

/** A browser that said nothing for this long costs no decoder; its next packet brings it back. */
const SILENT_AFTER_MS = 10_000
const CHECK_MS = 2000

/** A packet of Opus that holds 20 ms, as browsers get it. */
export interface SpokenPacket {
  readonly roomId: string
  readonly speakerId: string
  readonly sequenceNumber: number
  /** The time stamp in samples at 48 kHz. */
  readonly timestamp: number
  readonly payload: Buffer
}

export interface RoomUnits {
  /** The port that units call with their speech. */
  readonly port: SpeechPort
  /** Admits these units and no others. */
  apply(speech: readonly WantedSpeech[]): void
  countIn(roomId: string): number
  /** Accepts speech of a browser in a room. */
  hear(packet: SpokenPacket): void
  /** A further listener gets the turns, and the speech of these rooms, whether there are units in them or not; undefined when it stops. */
  listen(roomIds: ReadonlySet<string> | undefined): void
  /** The speech of each unit and browser in the room in this turn; a unit by the id of its session. */
  spoken(roomId: string): ReadonlyMap<string, Frame>
  /** The unit of a session. */
  unitOf(sessionId: string): string | undefined
  stop(): Promise<void>
}

export interface RoomUnitsOptions {
  host: string
  /** Another one is taken where it is in use; 0 takes any free one. */
  port: number
  /** Called with the speech of a unit, for the browsers. */
  onSpoken: (packet: SpokenPacket) => void
  /** The unit is not in the room any more, or has started again. */
  onLeft: (roomId: string, speakerId: string) => void
  /** Called every 20 ms, when the speech of the turn is known. */
  onTurn?: () => void
  log: Log
}

interface Voice {
  buffer: SpeechBuffer
  decoder: SpeechDecoder | undefined
  isEnded: boolean
  heardMs: number
}

interface Unit {
  readonly wanted: WantedSpeech
  readonly way: SpeechWay
  readonly voice: Voice
  encoder: SpeechEncoder | undefined
  instance: number
  frames: number
}

export async function openRoomUnits(options: RoomUnitsOptions): Promise<RoomUnits> {
  const { onSpoken, onLeft, log } = options
  const port = await openPreferredPort({
    name: 'speech of units',
    port: options.port,
    open: async (at) => await openSpeechPort(options.host, at),
    log: options.log,
  })
  const units = new Map<string, Unit>()
  /** By room, and in it by session. */
  const browsers = new Map<string, Map<string, Voice>>()
  let followed: ReadonlySet<string> | undefined
  /** The frames of this turn, by room. */
  const turn = new Map<string, Map<string, Frame>>()
  let endTurns: (() => void) | undefined

  const inRoom = (roomId: string) => [...units.values()].filter(({ wanted }) => wanted.roomId === roomId)
  const isFollowed = (roomId: string) => followed?.has(roomId) || inRoom(roomId).length > 0

  function openVoice(): Voice {
    const voice: Voice = {
      buffer: createSpeechBuffer(),
      decoder: undefined,
      isEnded: false,
      heardMs: performance.now(),
    }
    void createSpeechDecoder().then(
      (decoder) => {
        if (voice.isEnded) decoder.free()
        else voice.decoder = decoder
      },
      (error) => log.error(error, 'no decoder for a voice of an audio room'),
    )
    return voice
  }

  function admit(wanted: WantedSpeech): void {
    const { id, roomId } = wanted
    const voice = openVoice()
    const way = port.admit({
      sessionId: id,
      key: Buffer.from(wanted.key, 'base64'),
      onFrame({ frame, index, instance, payload }) {
        if (unit.instance !== instance) {
          voice.buffer = createSpeechBuffer()
          onLeft(roomId, id)
        }
        unit.instance = instance
        voice.buffer.put(frame, payload)
        onSpoken({
          roomId,
          speakerId: id,
          sequenceNumber: index % 0x10000,
          timestamp: (frame * FRAME_SAMPLES) >>> 0,
          payload,
        })
      },
    })
    const unit: Unit = { wanted, way, voice, encoder: undefined, instance: 0, frames: 0 }
    units.set(id, unit)
    void createSpeechEncoder().then(
      (encoder) => {
        if (voice.isEnded) encoder.free()
        else unit.encoder = encoder
      },
      (error) => log.error(error, 'no encoder for a unit of an audio room'),
    )
    log.info({ roomId, unitId: wanted.unitId }, 'unit admitted to the audio room')
  }

  function release({ wanted: { id, roomId, unitId }, way, voice, encoder }: Unit): void {
    units.delete(id)
    way.close()
    endVoice(voice)
    encoder?.free()
    if (!isFollowed(roomId)) forget(roomId, () => true)
    onLeft(roomId, id)
    log.info({ roomId, unitId }, 'unit released from the audio room')
  }

  /** Ends the voices of browsers that are meant. */
  function forget(roomId: string, isMeant: (voice: Voice) => boolean): void {
    const voices = browsers.get(roomId)
    for (const [id, voice] of voices ?? []) {
      if (!isMeant(voice)) continue
      voices?.delete(id)
      endVoice(voice)
    }
    if (voices?.size === 0) browsers.delete(roomId)
  }

  function mix(roomId: string): void {
    const present = inRoom(roomId)
    const spoken = new Map<string, Frame>()
    const listen = (id: string, voice: Voice) => {
      const frame = nextOf(voice)
      if (frame) spoken.set(id, frame)
    }
    for (const { wanted, voice } of present) listen(wanted.id, voice)
    for (const [id, voice] of browsers.get(roomId) ?? []) listen(id, voice)
    turn.set(roomId, spoken)
    const sum = sumOf(spoken.values())
    for (const unit of present) {
      const own = spoken.get(unit.wanted.id)
      unit.frames++
      // Nothing is sent while no other participant speaks.
      if (!unit.encoder || spoken.size === (own ? 1 : 0)) continue
      unit.way.send(unit.frames, unit.encoder.encode(mixMinus(sum, own)))
    }
  }

  function takeTurn(): void {
    turn.clear()
    const withUnits = [...units.values()].map(({ wanted }) => wanted.roomId)
    for (const roomId of new Set([...(followed ?? []), ...withUnits])) mix(roomId)
    options.onTurn?.()
  }

  /** Turns are taken while there is a listener. */
  function follow(): void {
    if (units.size > 0 || followed) {
      endTurns ??= everyFrame(takeTurn)
      return
    }
    endTurns?.()
    endTurns = undefined
  }

  const watch = setInterval(() => {
    const nowMs = performance.now()
    for (const roomId of [...browsers.keys()])
      forget(roomId, ({ heardMs }) => nowMs - heardMs > SILENT_AFTER_MS)
  }, CHECK_MS)

  return {
    port,
    apply(speech) {
      const isWanted = ({ wanted }: Unit) =>
        speech.some(
          ({ id, roomId, key }) => id === wanted.id && roomId === wanted.roomId && key === wanted.key,
        )
      for (const unit of [...units.values()]) if (!isWanted(unit)) release(unit)
      for (const wanted of speech) if (!units.has(wanted.id)) admit(wanted)
      follow()
    },
    countIn: (roomId) => inRoom(roomId).length,
    hear({ roomId, speakerId, timestamp, payload }) {
      if (!isFollowed(roomId)) return
      const voices = browsers.get(roomId) ?? new Map<string, Voice>()
      browsers.set(roomId, voices)
      const voice = voices.get(speakerId) ?? openVoice()
      voices.set(speakerId, voice)
      voice.heardMs = performance.now()
      voice.buffer.put(Math.floor(timestamp / FRAME_SAMPLES), payload)
    },
    listen(roomIds) {
      followed = roomIds
      for (const roomId of [...browsers.keys()]) if (!isFollowed(roomId)) forget(roomId, () => true)
      follow()
    },
    spoken: (roomId) => turn.get(roomId) ?? new Map(),
    unitOf: (sessionId) => units.get(sessionId)?.wanted.unitId,
    async stop() {
      clearInterval(watch)
      endTurns?.()
      for (const unit of [...units.values()]) release(unit)
      await port.close()
    },
  }
}

function endVoice(voice: Voice): void {
  voice.isEnded = true
  voice.decoder?.free()
  voice.decoder = undefined
}

/** The next 20 ms of a voice; undefined while it is silent. */
function nextOf({ buffer, decoder }: Voice): Frame | undefined {
  const played = buffer.take()
  if (played.kind === 'silent') return undefined
  return played.kind === 'sound' ? decoder?.decode(played.payload) : decoder?.conceal()
}
