// Eight channels of sound from a real unit over a real hub, each with a tone of its own: at a destination and in a recording.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import type { Channel } from '@backhaul/contract/nouns/channels'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { makeTones, tonesIn, tonesOf } from '@backhaul/ffmpeg/testing/tones'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { type Listener, type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const longMs = patientMs(120_000)
const ffmpegPath = findFfmpeg()
const folder = mkdtempSync(join(tmpdir(), 'backhaul-sound-'))
/** Seconds of the stream. */
const heardBytes = 250_000

describe.runIf(ffmpegPath)('more than two channels of sound', () => {
  let stage: Stage
  let person: Person
  let push: Listener
  let unitId: string
  let channelId: string
  let far: Socket
  let packets: Buffer[] = []

  beforeAll(async () => {
    const film = join(folder, 'eight.mkv')
    makeTones(ffmpegPath!, film, [8])
    stage = await openStage({ demo: 0 })
    await stage.start('hub', { env: { BACKHAUL_HUB_CHANNELS: '1' } })
    person = await signIn(stage.url, 'admin', adminPassword)
    const query = { group: 'newsroom' }
    channelId = await until(
      'the channel',
      async () => (await person.call(api.channels.ofGroup, { query }))[0]?.uniqueId,
    )
    await stage.start('agent', {
      env: {
        BACKHAUL_UNIT_NAME: 'Van-1',
        BACKHAUL_LINKS: 'Modem 1=127.0.0.2,Modem 2=127.0.0.3',
        BACKHAUL_SOURCE: `file:${film}`,
        BACKHAUL_BITRATE_KBPS: '500',
      },
    })
    unitId = await until('the unit', async () => {
      const [unit] = await person.call(api.units.ofGroup, { query })
      return unit?.idle ? unit.uid : undefined
    })
    push = await person.listen([`channel.${channelId}`])
    far = createSocket('udp4').bind(0, '127.0.0.1')
    far.on('message', (packet) => packets.push(packet))
    await once(far, 'listening')
    const { port } = far.address()
    const destination = { name: 'Far', streamType: 'MPEG-TS', ip: '127.0.0.1', port } as const
    await person.call(api.destinations.add, { body: { uid: channelId, destination } })
  })
  afterAll(async () => {
    push?.close()
    far?.close()
    await stage?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const shows = (check: (channel: Channel) => boolean) =>
    push.until(`channel.${channelId}`, (state) => check(state as unknown as Channel), longMs)
  const setAudio = (audioChannels: 8 | 16) =>
    person.call(api.unitSettings.setAudioParameters, { params: { id: unitId }, body: { audioChannels } })
  const record = (recording: boolean) =>
    person.call(api.channels.record, { params: { id: channelId }, body: { recording } })

  test('[CONF-016] as many as the source has can be chosen, and are measured, sent on and recorded', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-80).join('\n')))
    await expect(setAudio(16)).rejects.toMatchObject({
      status: 400,
      fields: [{ field: 'audioChannels', message: 'At most 8 audio channels: the source has no more.' }],
    })
    await setAudio(8)
    await person.call(api.unitCommands.start, { params: { id: unitId }, body: { channel: channelId } })
    await shows(({ status }) => status === 'collecting')
    await record(true)
    // A tone of an eighth of the full scale has its peak 18 dB below it.
    await shows(({ levels }) => levels.length === 8 && levels.every(({ peakDb }) => peakDb > -22))
    await shows(({ outputs }) => outputs[0]?.state === 'sending')
    packets = []
    await until('the stream at the destination', () => Buffer.concat(packets).length > heardBytes, longMs)
    expect(tonesIn(ffmpegPath!, Buffer.concat(packets))).toEqual(tonesOf(8))

    const recordings = join(stage.dataFolder, 'hub', 'recordings', channelId, unitId)
    const written = () => readdirSync(recordings).find((name) => name.endsWith('.mp4'))
    await until(
      'a recording',
      () => written() && statSync(join(recordings, written()!)).size > heardBytes,
      longMs,
    )
    await record(false)
    await shows(({ recording }) => !recording)
    await person.call(api.unitCommands.stop, { params: { id: unitId } })
    expect(tonesIn(ffmpegPath!, join(recordings, written()!))).toEqual(tonesOf(8))
  })
})
