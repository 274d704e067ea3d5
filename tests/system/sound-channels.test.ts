// Eight channels of sound from a real unit over a real hub, each with a tone of its own: at a destination and in a recording.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { makeTones, tonesIn, tonesOf } from '@backhaul/ffmpeg/testing/tones'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { openSentChannel, type SentChannel } from '../stage/sent-channel.ts'
import { until } from '../stage/until.ts'

const longMs = patientMs(120_000)
const ffmpegPath = findFfmpeg()
const folder = mkdtempSync(join(tmpdir(), 'backhaul-sound-'))
/** Seconds of the stream. */
const heardBytes = 250_000

describe.runIf(ffmpegPath)('more than two channels of sound', () => {
  let sent: SentChannel

  beforeAll(async () => {
    const film = join(folder, 'eight.mkv')
    makeTones(ffmpegPath!, film, [8])
    sent = await openSentChannel({ BACKHAUL_SOURCE: `file:${film}`, BACKHAUL_BITRATE_KBPS: '500' })
  })
  afterAll(async () => {
    await sent?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const setAudio = (audioChannels: 8 | 16) =>
    sent.person.call(api.unitSettings.setAudioParameters, {
      params: { id: sent.unitId },
      body: { audioChannels },
    })
  const record = (recording: boolean) =>
    sent.person.call(api.channels.record, { params: { id: sent.channelId }, body: { recording } })

  test('[CONF-016] as many as the source has can be chosen, and are measured, sent on and recorded', async () => {
    const { stage, person, unitId, channelId, shows } = sent
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
    expect(tonesIn(ffmpegPath!, await sent.arriving(heardBytes))).toEqual(tonesOf(8))

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
