// A point-to-point unit on the real path: its picture at its destination, at another unit behind that, and at a platform.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import type { Channel } from '@backhaul/contract/nouns/channels'
import type { Unit } from '@backhaul/contract/nouns/units'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { colourOfPicture, makeFilm } from '../conformance/film.ts'
import { freePort } from '../conformance/free-port.ts'
import { goOnFromEachOther } from '../stage/chains.ts'
import { type Listener, type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const ffmpegPath = findFfmpeg()
const folder = mkdtempSync(join(tmpdir(), 'backhaul-point-to-point-'))
const film = join(folder, 'red.mkv')
const displayed = join(folder, 'displayed.ts')
const longMs = patientMs(120_000)

describe.runIf(ffmpegPath)('a point-to-point unit', () => {
  let stage: Stage
  let person: Person
  let push: Listener
  let sender: Unit
  let receiver: Unit
  let channel: Channel
  goOnFromEachOther()

  const startUnit = async (name: string, env: NodeJS.ProcessEnv): Promise<Unit> => {
    await stage.start('agent', { as: name, env: { BACKHAUL_UNIT_NAME: name, ...env } })
    return await until(name, async () => {
      const all = await person.call(api.units.ofGroup, { query: { group: 'newsroom' } })
      return all.find((unit) => unit.name === name && unit.idle)
    })
  }

  beforeAll(async () => {
    makeFilm(ffmpegPath!, 'red', film)
    stage = await openStage({ demo: 0 })
    await stage.start('hub', {
      env: {
        BACKHAUL_HUB_CHANNELS: '1',
        BACKHAUL_HUB_RETURN_CHANNELS: '1',
        BACKHAUL_HUB_RETURN_INPUTS: 'bonded-1',
      },
    })
    person = await signIn(stage.url, 'admin', adminPassword)
    channel = await until('the channel', async () => {
      const all = await person.call(api.channels.ofGroup, { query: { group: 'newsroom' } })
      return all.find(({ status, name }) => status === 'idle' && name.endsWith('Channel-1'))
    })
    sender = await startUnit('Point-A', {
      BACKHAUL_PRODUCT: 'P2P',
      BACKHAUL_SOURCE: `file:${film}`,
      BACKHAUL_LINKS: 'Modem 1=127.0.0.2,Modem 2=127.0.0.3',
      BACKHAUL_BITRATE_KBPS: '1500',
    })
    receiver = await startUnit('Point-B', {
      BACKHAUL_LINKS: 'Modem 1=127.0.0.4,Modem 2=127.0.0.5',
      BACKHAUL_RETURN_DISPLAY: `cat > ${displayed}`,
      BACKHAUL_RETURN_PORT: '0',
    })
    push = await person.listen([`unit.${sender.uid}`, `unit.${receiver.uid}`, `channel.${channel.uniqueId}`])
  })
  afterAll(async () => {
    push?.close()
    await stage?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const params = () => ({ id: sender.uid })
  const showLines = () => console.error(stage.lines.slice(-60).join('\n'))
  const channelIs = (status: string) =>
    push.until(`channel.${channel.uniqueId}`, (one) => one.status === status, longMs)
  const unitIs = (check: (unit: Unit) => boolean) =>
    push.until(`unit.${sender.uid}`, (unit) => check(unit as Unit), longMs)
  const colourAtChannel = async () => {
    const address = `${stage.url}/preview/${channel.uniqueId}/still.jpg`
    const answer = await fetch(address, { headers: { cookie: person.cookie } })
    return answer.ok
      ? colourOfPicture(ffmpegPath!, Buffer.from(await answer.arrayBuffer()), 0.5, 0.5)
      : undefined
  }

  test('[P2P-002] has its picture at its destination, and at the unit that fetches it from there', async () => {
    onTestFailed(showLines)
    const { uniqueId: destinationChannelUid } = channel
    await person.call(api.p2p.create, { params: params(), body: { destinationChannelUid } })
    await unitIs(({ channelId }) => channelId === destinationChannelUid)
    await person.call(api.p2p.start, { params: params() })
    await channelIs('collecting')
    await until('its picture at the destination', async () => (await colourAtChannel()) === 'red', longMs)

    const returns = await person.call(api.videoReturn.ofGroup, { params: { groupId: 'newsroom' } })
    const ofReceiver = { id: receiver.uid }
    const body = { channel: returns[0]?.uniqueId ?? '' }
    await person.call(api.videoReturn.select, { params: ofReceiver, body })
    await person.call(api.videoReturn.start, { params: ofReceiver })
    await until('the display', () => existsSync(displayed) && statSync(displayed).size > 300_000, longMs)
    expect(colourOfPicture(ffmpegPath!, readFileSync(displayed), 0.5, 0.5)).toBe('red')
    // Over both of its links.
    await push.until(
      `unit.${receiver.uid}`,
      (unit) => (unit as Unit).videoReturn?.received?.links === 2,
      longMs,
    )
    await person.call(api.videoReturn.stop, { params: ofReceiver })
  })

  test('[STREAM-011] is forwarded to a platform while that is started, and the platform loses it at the stop', async () => {
    onTestFailed(showLines)
    const { uniqueId: uid } = channel
    const url = `rtmp://127.0.0.1:${await freePort()}/live/key-1`
    const destination = { name: 'Platform', streamType: 'RTMP', urlPrimary: url, onDemand: true } as const
    await person.call(api.destinations.add, { body: { uid, destination } })
    const words = [
      '-v',
      'quiet',
      '-nostdin',
      '-listen',
      '1',
      '-i',
      url,
      '-c',
      'copy',
      '-f',
      'mpegts',
      'pipe:1',
    ]
    const platform = spawn(ffmpegPath!, words, { stdio: ['ignore', 'pipe', 'ignore'] })
    const parts: Buffer[] = []
    platform.stdout.on('data', (part: Buffer) => parts.push(part))
    const ended = once(platform, 'exit')
    const state = () => (push.state(`unit.${sender.uid}`) as Unit).cdnStreams?.map((one) => one.state)
    try {
      await until('the platform to be shown as off', () => state()?.join() === 'off', longMs)
      const before = await person.call(api.cdnStreams.start, { params: params(), body: ['Platform'] })
      expect(before.map(({ name }) => name)).toEqual(['Platform'])
      await until('the platform to be sent to', () => state()?.join() === 'sending', longMs)
      await until('the picture at the platform', () => Buffer.concat(parts).length > 200_000, longMs)
      expect(colourOfPicture(ffmpegPath!, Buffer.concat(parts), 0.5, 0.5)).toBe('red')
      await person.call(api.cdnStreams.stop, { params: params() })
      await ended
      await until('the platform to be off', () => state()?.join() === 'off')
      expect(push.state(`channel.${uid}`).status).toBe('collecting')
    } finally {
      platform.kill('SIGKILL')
    }
    await person.call(api.p2p.stop, { params: params() })
    await channelIs('idle')
  })
})
