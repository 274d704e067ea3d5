// Several cameras of a real unit at a real hub: each picture is decoded where the hub hands it to browsers.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import type { Channel } from '@backhaul/contract/nouns/channels'
import { streamPath } from '@backhaul/contract/nouns/previews'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Listener, type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const ffmpegPath = findFfmpeg()
const folder = mkdtempSync(join(tmpdir(), 'backhaul-cameras-'))
const enoughBytes = 150_000

/** Words of the command line, none of which holds a space. */
const ffmpeg = (words: string, input?: Buffer) =>
  spawnSync(ffmpegPath!, ['-v', 'quiet', '-y', ...words.split(' ')], { input, maxBuffer: 1e9 }).stdout

function film(colour: string): string {
  const path = join(folder, `${colour}.mkv`)
  ffmpeg(
    `-f lavfi -i color=${colour}:size=320x180:rate=25:duration=4,noise=alls=40:allf=t -c:v libx264 -preset ultrafast ${path}`,
  )
  return path
}

describe.runIf(ffmpegPath)('a real unit with two cameras', () => {
  let stage: Stage
  let person: Person
  let push: Listener
  let unitId: string
  let channels: Channel[]

  const named = (name: string) => channels.find((one) => one.name.endsWith(name))!

  beforeAll(async () => {
    stage = await openStage({ demo: 0 })
    await stage.start('hub', { env: { BACKHAUL_HUB_CAMERAS: '2' } })
    person = await signIn(stage.url, 'admin', adminPassword)
    channels = await until('the channels', async () => {
      const found = await person.call(api.channels.ofGroup, { query: { group: 'newsroom' } })
      return found.some(({ name }) => name.endsWith('Cameras')) ? found : undefined
    })
    await stage.start('agent', {
      env: {
        BACKHAUL_UNIT_NAME: 'Van-1',
        BACKHAUL_LINKS: 'Modem 1=127.0.0.2,Modem 2=127.0.0.3',
        BACKHAUL_SOURCE: film('red'),
        BACKHAUL_SOURCE_2: film('blue'),
      },
    })
    const unit = await until('the unit', async () => {
      const [found] = await person.call(api.units.ofGroup, { query: { group: 'newsroom' } })
      return found?.idle ? found : undefined
    })
    unitId = unit.uid
    push = await person.listen([`unit.${unitId}`, ...channels.map(({ uniqueId }) => `channel.${uniqueId}`)])
  })
  afterAll(async () => {
    push?.close()
    await stage?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const isCollecting = ({ uniqueId }: Channel) =>
    push.until(`channel.${uniqueId}`, ({ status }) => status === 'collecting', 60_000)
  async function isIdle(): Promise<void> {
    await push.until(`unit.${unitId}`, ({ status }) => status === 'idle', 60_000)
    for (const { uniqueId } of channels)
      await push.until(`channel.${uniqueId}`, ({ status }) => status === 'idle', 60_000)
  }

  /** The colour of the newest picture that the hub gives of a channel now. */
  async function colourOf({ uniqueId }: Channel): Promise<string | undefined> {
    const socket = new WebSocket(`${stage.url.replace(/^http/, 'ws')}${streamPath(uniqueId)}`, {
      headers: { cookie: person.cookie },
    })
    const received: Buffer[] = []
    socket.on('message', (bytes: Buffer) => received.push(bytes))
    socket.on('error', () => {})
    try {
      await until('the stream', () => Buffer.concat(received).length > enoughBytes)
    } finally {
      socket.close()
    }
    const words =
      '-f mpegts -i pipe:0 -an -vf format=rgb24,scale=1:1:flags=area -f rawvideo -pix_fmt rgb24 pipe:1'
    const [red = 0, , blue = 0] = ffmpeg(words, Buffer.concat(received)).subarray(-3)
    return red > 2 * blue ? 'red' : blue > 2 * red ? 'blue' : undefined
  }

  const shows = (channel: Channel, colour: string) =>
    until(`${channel.name} shows ${colour}`, async () => (await colourOf(channel)) === colour)

  test('sends each to a channel of the group, and stops both', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
    await push.until(`unit.${unitId}`, ({ cameras }) => Array.isArray(cameras) && cameras.length === 2)
    await person.call(api.cameras.setFeeds, {
      params: { id: unitId },
      body: {
        numberOfFeeds: 2,
        channelSelectionMode: 'automaticByServer',
        channel: named('Cameras').uniqueId,
      },
    })
    await push.until(
      `unit.${unitId}`,
      ({ multiCameraSelectedMode }) => multiCameraSelectedMode === 'highQuality',
    )
    await person.call(api.cameras.start, { params: { id: unitId }, body: {} })
    await Promise.all([isCollecting(named('Channel-1')), isCollecting(named('Channel-2'))])
    await shows(named('Channel-1'), 'red')
    await shows(named('Channel-2'), 'blue')
    expect(push.state(`channel.${named('Cameras').uniqueId}`).status).toBe('collecting')
    await person.call(api.cameras.stop, { params: { id: unitId } })
    await isIdle()
  })

  test('shows one of them by the switcher, and the other one on request, on air', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
    const [program, proxy] = [named('Channel-1').uniqueId, named('Channel-3').uniqueId]
    await person.call(api.cameras.setSwitcher, {
      params: { id: unitId },
      body: { highQualityChannel: program, proxyChannel: proxy },
    })
    await push.until(
      `unit.${unitId}`,
      ({ multiCameraSelectedMode }) => multiCameraSelectedMode === 'switcherAndProxy',
    )
    await person.call(api.cameras.startSwitcher, { params: { id: unitId }, body: {} })
    await Promise.all([isCollecting(named('Channel-1')), isCollecting(named('Channel-3'))])
    await shows(named('Channel-1'), 'red')
    await person.call(api.cameras.setInput, { params: { id: unitId }, body: { sdiPort: 2 } })
    await shows(named('Channel-1'), 'blue')
    await person.call(api.cameras.stopSwitcher, { params: { id: unitId } })
    await isIdle()
  })
})
