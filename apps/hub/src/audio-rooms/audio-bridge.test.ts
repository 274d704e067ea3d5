// Participants of an audio room: WebRTC peers that send and count Opus packets.
import { randomBytes } from 'node:crypto'
import type { WantedSpeech } from '@backhaul/contract/gateway/servers'
import { AUDIO_ROOM_PLACES } from '@backhaul/contract/nouns/audio-rooms'
import { createLog } from '@backhaul/runtime/log'
import { until } from '@backhaul/runtime/testing/until'
import { createSpeechDecoder, createSpeechEncoder } from '@backhaul/speech/codec'
import { FRAME_SAMPLES, type Frame, silence } from '@backhaul/speech/frames'
import { everyFrame } from '@backhaul/speech/pace'
import { openSpeechLine, type SpeechLine } from '@backhaul/speech/speech-line'
import { joined, loudnessOf, toneOf } from '@backhaul/speech/testing/tones'
import { afterAll, afterEach, expect, test } from 'vitest'
import { MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters, RtpHeader, RtpPacket } from 'werift'
import { type AudioBridge, createAudioBridge, RoomFull } from './audio-bridge.ts'
import { openRoomUnits } from './room-units.ts'

const units = await openRoomUnits({
  host: '127.0.0.1',
  port: 0,
  onSpoken: (packet) => bridge.say(packet),
  onLeft: (roomId, speakerId) => bridge.left(roomId, speakerId),
  log: createLog({ name: 'hub', format: 'json', level: 'silent' }),
})
const bridge: AudioBridge = createAudioBridge(['127.0.0.1'], units)
afterAll(async () => {
  bridge.stop()
  await units.stop()
})
const people: Person[] = []
const lines: SpeechLine[] = []
afterEach(async () => {
  for (const { connection } of people.splice(0)) await connection.close()
  for (const id of bridge.sessions()) bridge.leave(id)
  units.apply([])
  for (const line of lines.splice(0)) line.close()
})

interface Person {
  readonly connection: RTCPeerConnection
  /** First byte of each payload that was heard. */
  readonly heard: number[]
  /** Payloads, by the sender on which they came. */
  readonly packets: Map<unknown, Buffer[]>
  send(word: number): Promise<void>
  sendPacket(payload: Uint8Array): Promise<void>
}

async function enter(roomId: string, sessionId: string, echo = false): Promise<Person> {
  const connection = new RTCPeerConnection({
    // No server answers there: only the addresses of this machine matter.
    iceServers: [{ urls: 'stun:127.0.0.1:9' }],
    iceStunGatherTimeout: 0.1,
    iceUseIpv6: false,
    iceAdditionalHostAddresses: ['127.0.0.1'],
    codecs: {
      audio: [new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: 48_000, channels: 2 })],
    },
  })
  const heard: number[] = []
  const packets = new Map<unknown, Buffer[]>()
  connection.onTrack.subscribe((track) => {
    track.onReceiveRtp.subscribe(({ payload }) => {
      heard.push(payload[0] ?? 0)
      const before = packets.get(track)
      if (before) before.push(payload)
      else packets.set(track, [payload])
    })
  })
  const microphone = new MediaStreamTrack({ kind: 'audio' })
  const { sender } = connection.addTransceiver(microphone, { direction: 'sendrecv' })
  for (let at = 1; at < AUDIO_ROOM_PLACES; at++) connection.addTransceiver('audio', { direction: 'recvonly' })
  await connection.setLocalDescription(await connection.createOffer())
  const offer = connection.localDescription?.sdp ?? ''
  const answer = await bridge.join({ roomId, sessionId, offer, echo })
  await connection.setRemoteDescription({ type: 'answer', sdp: answer })
  await until(() => connection.connectionState === 'connected')
  let sequenceNumber = 0
  async function sendPacket(payload: Uint8Array) {
    const header = new RtpHeader({ sequenceNumber: ++sequenceNumber, timestamp: sequenceNumber * 960 })
    await sender.sendRtp(new RtpPacket(header, Buffer.from(payload)))
  }
  const send = (word: number) => sendPacket(Uint8Array.of(word, 1, 2, 3))
  const person = { connection, heard, packets, send, sendPacket }
  people.push(person)
  return person
}

/** Repeats the word until the listener has received it: the first packets may be sent before the other end is ready. */
async function sayTo(speaker: Person, listener: Person, word: number): Promise<void> {
  await until(async () => {
    await speaker.send(word)
    return listener.heard.includes(word)
  })
}

test('[COMM-006] participants of a room hear each other, but neither another room nor their own voice', async () => {
  const anna = await enter('studio', 'anna')
  const ben = await enter('studio', 'ben')
  const carl = await enter('studio', 'carl')
  const other = await enter('van', 'other')
  await sayTo(anna, ben, 11)
  await sayTo(ben, anna, 22)
  await sayTo(carl, anna, 33)
  await other.send(44)
  await sayTo(anna, carl, 55)
  expect(new Set(anna.heard)).toEqual(new Set([22, 33]))
  expect(new Set(ben.heard)).toEqual(new Set([11, 33, 55]))
  expect(other.heard).toEqual([])
  expect(bridge.sessions().toSorted()).toEqual(['anna', 'ben', 'carl', 'other'])
  // A participant who left is not heard any more, and their place goes to the next.
  expect(bridge.leave('carl')).toBe(true)
  expect(bridge.leave('carl')).toBe(false)
  const dora = await enter('studio', 'dora')
  await sayTo(dora, anna, 66)
})

test('[COMM-006] an echo test of microphone and connection comes back to its participant', async () => {
  const alone = await enter('test', 'alone', true)
  await sayTo(alone, alone, 77)
})

test('a room has a limited number of places, and a place that is left is free again', async () => {
  const { connection } = await enter('elsewhere', 'another')
  const offer = connection.localDescription?.sdp ?? ''
  const join = (at: number) => bridge.join({ roomId: 'full', sessionId: `${at}`, offer, echo: false })
  for (let at = 1; at <= AUDIO_ROOM_PLACES; at++) await join(at)
  await expect(join(0)).rejects.toThrow(RoomFull)
  bridge.leave('1')
  await join(0)
  expect(bridge.sessions()).toHaveLength(AUDIO_ROOM_PLACES + 1)
})

interface CrewMember {
  readonly line: SpeechLine
  /** The newest second of what is heard. */
  heard(): Int16Array
}

const secondFrames = 50

/** A unit that speaks a tone all the time. */
async function crew(id: string, roomId: string, hertz: number): Promise<CrewMember> {
  const key = randomBytes(32)
  admitted.set(id, { id, roomId, unitId: `unit of ${id}`, key: key.toString('base64') })
  units.apply([...admitted.values()])
  let frames: Frame[] = []
  const line = await openSpeechLine({
    sessionId: id,
    key,
    onHeard: (frame) => {
      frames = [...frames.slice(1 - secondFrames), frame]
    },
  })
  lines.push(line)
  line.addLink({ id: 'modem', remoteHost: '127.0.0.1', remotePort: units.port.port })
  const next = toneOf(hertz)
  endings.push(everyFrame(() => line.speak(next())))
  return { line, heard: () => joined(frames) }
}

const admitted = new Map<string, WantedSpeech>()
const endings: (() => void)[] = []
afterEach(() => {
  for (const end of endings.splice(0)) end()
  admitted.clear()
})

const audible = 3000
const hears = (heard: Int16Array, hertz: number) =>
  heard.length === secondFrames * FRAME_SAMPLES && loudnessOf(hertz, heard) > audible

test('[COMM-001] crews and browsers of a room hear each other, each without their own voice', async () => {
  const one = await crew('one', 'studio', 400)
  const two = await crew('two', 'studio', 700)
  const far = await crew('far', 'van', 2000)
  const anna = await enter('studio', 'anna')
  const [encoder, decoder] = await Promise.all([createSpeechEncoder(), createSpeechDecoder()])
  const next = toneOf(1100)
  endings.push(everyFrame(() => void anna.sendPacket(encoder.encode(next()))))
  await until(() => hears(one.heard(), 700) && hears(one.heard(), 1100))
  await until(() => hears(two.heard(), 400) && hears(two.heard(), 1100))
  for (const [own, { heard }] of [
    [400, one],
    [700, two],
  ] as const)
    for (const absent of [own, 2000]) expect(loudnessOf(absent, heard())).toBeLessThan(200)
  expect(loudnessOf(400, far.heard()) + loudnessOf(1100, far.heard())).toBe(0)

  // The browser gets each crew on a place of its own, as the crew has encoded it.
  await until(() => [...anna.packets.values()].filter(({ length }) => length > 100).length === 2)
  const tones = [...anna.packets.values()].map((packets) => {
    const heard = joined(packets.slice(-secondFrames).map((packet) => decoder.decode(packet) ?? silence))
    return [400, 700, 1100, 2000].filter((hertz) => loudnessOf(hertz, heard) > audible)
  })
  expect(tones.toSorted()).toEqual([[400], [700]])

  // A crew that has left is not heard any more, and nothing is sent to it.
  admitted.delete('two')
  units.apply([...admitted.values()])
  await until(() => loudnessOf(700, one.heard()) < 50 && hears(one.heard(), 1100))
  await until(() => two.line.stats().links.every(({ up }) => !up) && loudnessOf(400, two.heard()) === 0)
  encoder.free()
  decoder.free()
})

test('crews take places of a room', async () => {
  for (let at = 1; at < AUDIO_ROOM_PLACES; at++) await crew(`crew ${at}`, 'small', 300 + at)
  const { connection } = await enter('small', 'last')
  const offer = connection.localDescription?.sdp ?? ''
  await expect(bridge.join({ roomId: 'small', sessionId: 'more', offer, echo: false })).rejects.toThrow(
    RoomFull,
  )
})
