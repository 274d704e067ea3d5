// Settings of a channel on a real hub with a real unit: what arrives at the channel, and what at its destination.
import { spawnSync } from 'node:child_process'
import { api } from '@backhaul/contract/api/api'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { openSentChannel, type SentChannel } from '../stage/sent-channel.ts'
import { until } from '../stage/until.ts'

const longMs = patientMs(120_000)
const ffmpegPath = findFfmpeg()
/** Packets of a second or more. */
const describedBytes = 250 * 1316

describe.runIf(ffmpegPath)('a channel with settings', () => {
  let sent: SentChannel

  beforeAll(async () => {
    sent = await openSentChannel({ BACKHAUL_PICTURE: '640x360p25', BACKHAUL_BITRATE_KBPS: '3000' })
  })
  afterAll(() => sent?.close())

  /** Waits until the description by ffmpeg of a second or more of the stream at the destination matches. */
  async function arrives(pattern: RegExp): Promise<void> {
    await until(
      `${pattern} at the destination`,
      async () => {
        const input = await sent.arriving(describedBytes)
        const { stderr } = spawnSync(ffmpegPath!, ['-hide_banner', '-i', 'pipe:0'], { input })
        return pattern.test(stderr.toString())
      },
      longMs,
    )
  }
  const set = (body: { forceOutput: boolean }) =>
    sent.person.call(api.channelAdministration.change, { params: { id: sent.channelId }, body })
  const limit = (kbps: number) =>
    sent.person.call(api.channelSettings.limit, { body: { uid: sent.channelId, limit: kbps } })
  const encode = (ffmpegSettings: Record<string, string>, ffmpegOverride: boolean) =>
    sent.person.call(api.channelSettings.setFfmpeg, {
      params: { id: sent.channelId },
      body: { ffmpegSettings, ffmpegOverride },
    })

  test('[CHAN-018] its destination gets a picture although no unit sends, while its output is forced', async () => {
    onTestFailed(() => console.error(sent.stage.lines.slice(-60).join('\n')))
    await set({ forceOutput: true })
    await arrives(/Video: h264.*1280x720.*25 fps/)
    expect(sent.push.state(`channel.${sent.channelId}`)).toMatchObject({
      status: 'idle',
      kind: 'OUTPUT_CHANNEL',
    })
    await set({ forceOutput: false })
    await sent.shows(({ outputs }) => outputs.length === 0)
  })

  test('[CHAN-013] [CHAN-012] no more comes in than its limit lets, and its options make what goes out', async () => {
    onTestFailed(() => console.error(sent.stage.lines.slice(-60).join('\n')))
    await limit(1000)
    const start = { params: { id: sent.unitId }, body: { channel: sent.channelId } }
    await sent.person.call(api.unitCommands.start, start)
    // The first picture of a stream is large.
    await sent.shows(({ reception }) => reception !== null && reception.kbps > 400 && reception.kbps < 1100)
    await limit(0)
    await sent.shows(({ reception }) => (reception?.kbps ?? 0) > 1300)
    await limit(1000)
    await sent.shows(({ reception }) => (reception?.kbps ?? Infinity) < 1100)

    await encode({ s: '320x180', r: '10', 'profile:v': 'baseline', 'b:a': '64k', ac: '1' }, true)
    await arrives(/Video: h264 \((Constrained )?Baseline\).*320x180.*10 fps[\s\S]*Audio: aac.*mono/)
    await encode({ s: '320x180' }, false)
    await arrives(/Video: h264(?!.*320x180).*\n[\s\S]*Audio: aac.*stereo/)
  })
})
