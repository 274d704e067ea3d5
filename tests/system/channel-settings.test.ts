// Settings of a channel on a real hub with a real unit: what arrives at the channel, and what at its destination.
import { spawnSync } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { api } from '@backhaul/contract/api/api'
import type { Channel } from '@backhaul/contract/nouns/channels'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { type Listener, type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const longMs = patientMs(120_000)
const ffmpegPath = findFfmpeg()

describe.runIf(ffmpegPath)('a channel with settings', () => {
  let stage: Stage
  let person: Person
  let push: Listener
  let unitId: string
  let channelId: string
  let far: Socket
  let packets: Buffer[] = []

  beforeAll(async () => {
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
        BACKHAUL_PICTURE: '640x360p25',
        BACKHAUL_BITRATE_KBPS: '3000',
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
  })

  const channel = (check: (channel: Channel) => boolean) =>
    push.until(`channel.${channelId}`, (state) => check(state as unknown as Channel), longMs)
  /** Waits until the description by ffmpeg of a second or more of the stream at the destination matches. */
  async function arrives(pattern: RegExp): Promise<void> {
    await until(
      `${pattern} at the destination`,
      async () => {
        packets = []
        await until('a piece of the stream', () => packets.length > 250, longMs)
        const input = Buffer.concat(packets)
        const { stderr } = spawnSync(ffmpegPath!, ['-hide_banner', '-i', 'pipe:0'], { input })
        return pattern.test(stderr.toString())
      },
      longMs,
    )
  }
  const set = (body: { forceOutput: boolean }) =>
    person.call(api.channelAdministration.change, { params: { id: channelId }, body })
  const limit = (kbps: number) =>
    person.call(api.channelSettings.limit, { body: { uid: channelId, limit: kbps } })
  const encode = (ffmpegSettings: Record<string, string>, ffmpegOverride: boolean) =>
    person.call(api.channelSettings.setFfmpeg, {
      params: { id: channelId },
      body: { ffmpegSettings, ffmpegOverride },
    })

  test('[CHAN-018] its destination gets a picture although no unit sends, while its output is forced', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
    await set({ forceOutput: true })
    await arrives(/Video: h264.*1280x720.*25 fps/)
    expect(push.state(`channel.${channelId}`)).toMatchObject({ status: 'idle', kind: 'OUTPUT_CHANNEL' })
    await set({ forceOutput: false })
    await channel(({ outputs }) => outputs.length === 0)
  })

  test('[CHAN-013] [CHAN-012] no more comes in than its limit lets, and its options make what goes out', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
    await limit(1000)
    await person.call(api.unitCommands.start, { params: { id: unitId }, body: { channel: channelId } })
    // The first picture of a stream is large.
    await channel(({ reception }) => reception !== null && reception.kbps > 400 && reception.kbps < 1100)
    await limit(0)
    await channel(({ reception }) => (reception?.kbps ?? 0) > 1300)
    await limit(1000)
    await channel(({ reception }) => (reception?.kbps ?? Infinity) < 1100)

    await encode({ s: '320x180', r: '10', 'profile:v': 'baseline', 'b:a': '64k', ac: '1' }, true)
    await arrives(/Video: h264 \((Constrained )?Baseline\).*320x180.*10 fps[\s\S]*Audio: aac.*mono/)
    await encode({ s: '320x180' }, false)
    await arrives(/Video: h264(?!.*320x180).*\n[\s\S]*Audio: aac.*stereo/)
  })
})
