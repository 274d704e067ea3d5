// Participants of an audio room: WebRTC peers that send and count Opus packets.
import { AUDIO_ROOM_PLACES } from '@backhaul/contract/nouns/audio-rooms'
import { until } from '@backhaul/runtime/testing/until'
import { afterEach, expect, test } from 'vitest'
import { MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters, RtpHeader, RtpPacket } from 'werift'
import { createAudioBridge } from './audio-bridge.ts'

const bridge = createAudioBridge(['127.0.0.1'])
const people: Person[] = []
afterEach(async () => {
  for (const { connection } of people.splice(0)) await connection.close()
  for (const id of bridge.sessions()) bridge.leave(id)
})

interface Person {
  readonly connection: RTCPeerConnection
  /** First byte of each payload that was heard. */
  readonly heard: number[]
  send(word: number): Promise<void>
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
  connection.onTrack.subscribe((track) => {
    track.onReceiveRtp.subscribe(({ payload }) => heard.push(payload[0] ?? 0))
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
  const person = {
    connection,
    heard,
    async send(word: number) {
      const header = new RtpHeader({ sequenceNumber: ++sequenceNumber, timestamp: sequenceNumber * 960 })
      await sender.sendRtp(new RtpPacket(header, Buffer.from([word, 1, 2, 3])))
    },
  }
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
  const { connection } = await enter('elsewhere', 'someone')
  const offer = connection.localDescription?.sdp ?? ''
  const join = (at: number) => bridge.join({ roomId: 'full', sessionId: `${at}`, offer, echo: false })
  for (let at = 1; at <= AUDIO_ROOM_PLACES; at++) await join(at)
  await expect(join(0)).rejects.toThrow('The room is full')
  bridge.leave('1')
  await join(0)
  expect(bridge.sessions()).toHaveLength(AUDIO_ROOM_PLACES + 1)
})
