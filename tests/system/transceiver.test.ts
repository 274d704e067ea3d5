// A transceiver between two places: what one hub receives from a unit, or puts out, a second hub takes and sends on.
import { spawnSync } from 'node:child_process'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { api } from '@backhaul/contract/api/api'
import type { ChannelChange } from '@backhaul/contract/nouns/channel-administration'
import type { Channel } from '@backhaul/contract/nouns/channels'
import { feedState } from '@backhaul/contract/nouns/feeds'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { type Listener, type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const longMs = patientMs(120_000)
const ffmpegPath = findFfmpeg()
const query = { group: 'newsroom' }
const secret = 'between-the-hubs'.replaceAll('-', '0')

describe.runIf(ffmpegPath)('a transceiver', () => {
  let stage: Stage
  let person: Person
  let push: Listener
  let unitId: string
  let main: Channel
  let feed: Channel
  let input: Channel
  const far: Socket[] = []
  /** The packets received by the destination of each channel. */
  const packets = new Map<string, Buffer[]>()

  beforeAll(async () => {
    stage = await openStage({ demo: 0 })
    const env = { BACKHAUL_HUB_CHANNELS: '1' }
    await stage.start('hub', { env: { ...env, BACKHAUL_HUB_NAME: 'Studio' } })
    await stage.start('hub', {
      as: 'relay',
      env: {
        ...env,
        BACKHAUL_HUB_NAME: 'Relay',
        BACKHAUL_HUB_INPUTS: 'srt',
        BACKHAUL_HUB_ROLE: 'transceiver',
      },
    })
    person = await signIn(stage.url, 'admin', adminPassword)
    const named = (name: string, server: string) =>
      until(`${name} of ${server}`, async () =>
        (await person.call(api.channels.ofGroup, { query })).find(
          (one) => one.name === name && one.serverName === server,
        ),
      )
    main = await named('Channel-1', 'Studio')
    feed = await named('Feed-1', 'Relay')
    input = await named('SRT-Input-1', 'Relay')
    await stage.start('agent', {
      env: { BACKHAUL_UNIT_NAME: 'Van-1', BACKHAUL_LINKS: 'Modem 1=127.0.0.2,Modem 2=127.0.0.3' },
    })
    unitId = await until('the unit', async () => {
      const [unit] = await person.call(api.units.ofGroup, { query })
      return unit?.idle ? unit.uid : undefined
    })
    push = await person.listen([main, feed, input].map(({ uniqueId }) => `channel.${uniqueId}`))
  }, 2 * longMs)
  afterAll(async () => {
    push?.close()
    for (const socket of far) socket.close()
    await stage?.stop()
  })

  const change = ({ uniqueId: id }: Channel, body: ChannelChange) =>
    person.call(api.channelAdministration.change, { params: { id }, body })
  const shown = ({ uniqueId }: Channel) => push.state(`channel.${uniqueId}`) as unknown as Channel
  const shows = ({ uniqueId }: Channel, check: (channel: Channel) => boolean) =>
    push.until(`channel.${uniqueId}`, (state) => check(state as unknown as Channel), longMs)
  const is = (channel: Channel, status: Channel['status']) => shows(channel, (one) => one.status === status)
  const transmit = () =>
    person.call(api.unitCommands.start, { params: { id: unitId }, body: { channel: main.uniqueId } })
  const end = () => person.call(api.unitCommands.stop, { params: { id: unitId } })
  async function sendOn({ uniqueId: uid }: Channel): Promise<void> {
    const socket = createSocket('udp4').bind(0, '127.0.0.1')
    packets.set(uid, [])
    socket.on('message', (packet) => packets.get(uid)?.push(packet))
    far.push(socket)
    await once(socket, 'listening')
    const { port } = socket.address()
    const destination = { name: `Far of ${uid}`, streamType: 'MPEG-TS', ip: '127.0.0.1', port } as const
    await person.call(api.destinations.add, { body: { uid, destination } })
  }
  /** Whole pictures that ffmpeg decodes from what comes to the destination from now on. */
  async function arrives({ uniqueId }: Channel): Promise<void> {
    packets.set(uniqueId, [])
    await until(
      'pictures at the destination',
      () => {
        const input = Buffer.concat(packets.get(uniqueId)?.slice(-4000) ?? [])
        const words = '-hide_banner -f mpegts -i pipe:0 -an -vf scale=16:16 -f rawvideo -pix_fmt gray pipe:1'
        const { stdout } = spawnSync(ffmpegPath!, words.split(' '), { input, maxBuffer: 1e8 })
        const frames = Array.from({ length: Math.floor(stdout.length / 256) }, (_, at) =>
          stdout.subarray(at * 256, (at + 1) * 256).toString('hex'),
        )
        // They move: the same picture again is no transmission.
        return new Set(frames).size >= 5
      },
      longMs,
    )
  }
  async function nothingArrives({ uniqueId }: Channel): Promise<void> {
    await until('the packets to end', async () => {
      const count = () => packets.get(uniqueId)?.length
      const before = count()
      await new Promise((done) => setTimeout(done, 1500))
      return count() === before
    })
  }

  test('[SRV-011] sends on what another hub receives from a unit, until it is stopped', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-80).join('\n')))
    const [server] = (
      await person.call(api.deviceAdministration.servers, { query: { type: 'transceiver_server' } })
    ).items
    expect(server).toMatchObject({ name: 'Relay', type: 'transceiver_server', state: 'online' })
    await sendOn(feed)
    await change(feed, { feedFrom: main.uniqueId })
    await shows(feed, (one) => feedState(one) === 'waiting')
    expect(shown(feed).feedFrom).toEqual({
      channelId: main.uniqueId,
      channelName: 'Channel-1',
      serverName: 'Studio',
    })
    await transmit()
    await is(feed, 'collecting')
    await arrives(feed)
    await shows(
      feed,
      ({ reception, outputs }) => (reception?.kbps ?? 0) > 100 && (outputs[0]?.kbps ?? 0) > 100,
    )
    expect(shown(feed)).toMatchObject({ allocatedToUnitUid: unitId, outputs: [{ state: 'sending' }] })
    expect(shown(main).multipointMachines).toEqual([{ uid: feed.uniqueId }])

    await change(feed, { feedStopped: true })
    await is(feed, 'idle')
    expect(feedState(shown(feed))).toBe('stopped')
    await nothingArrives(feed)
    expect(shown(main).status).toBe('collecting')
    await change(feed, { feedStopped: false })
    await is(feed, 'collecting')
    await arrives(feed)

    const points = await until('a graph of the feed', async () => {
      const graph = await person.call(api.channels.feedGraph, { params: { id: feed.uniqueId }, query: {} })
      return graph.some((one) => one.downlinkKbps > 100 && one.uplinkKbps > 100) ? graph : undefined
    })
    expect(points.length).toBeLessThanOrEqual(360)
    await end()
    await is(main, 'idle')
    await shows(feed, (one) => one.allocatedToUnitUid === null && feedState(one) === 'waiting')
    await nothingArrives(feed)
  })

  test('[SRV-011] fetches an address, names the reason where that gives nothing, and keeps its key to itself', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-80).join('\n')))
    const params = { id: input.uniqueId }
    const add = (name: string, url: string) =>
      person.call(api.channelSettings.addSource, { params, body: { name, url } })
    const { inputSources } = await add('Wrong', `rtmp://127.0.0.1:1/live/${secret}`)
    await shows(input, (one) => one.inputFailure !== null)
    expect(shown(input).inputFailure).toMatchObject({
      sourceId: inputSources[0]?.id,
      reason: 'The source refuses the connection.',
      cause: { code: 'source.refused' },
    })
    expect(feedState(shown(input))).toBe('failed')

    const port = 20_000 + Math.floor(Math.random() * 20_000)
    const listener = { name: 'For the relay', streamType: 'SRT', srtMode: 'listener', port } as const
    await person.call(api.destinations.add, {
      body: { uid: main.uniqueId, destination: { ...listener, passphrase: secret } },
    })
    await transmit()
    await is(main, 'collecting')
    await sendOn(input)
    await add('Studio', `srt://127.0.0.1:${port}?passphrase=${secret}`)
    await is(input, 'collecting')
    expect(shown(input)).toMatchObject({ inputFailure: null, inputProblem: null })
    await arrives(input)
    await change(input, { feedStopped: true })
    await is(input, 'idle')
    await nothingArrives(input)
    await change(input, { feedStopped: false })
    await is(input, 'collecting')
    await end()
    await is(input, 'idle')

    const seen = [JSON.stringify(push.messages), stage.lines.join('\n')].join('\n')
    expect(seen).not.toContain(secret)
  })
})
