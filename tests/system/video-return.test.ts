// Video return on the real path: a hub, links with NATs in between, a unit. The picture is decoded where the unit shows it.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LinkGate, openLinkGate } from '@backhaul/bonding/testing/link-gate'
import { api } from '@backhaul/contract/api/api'
import { streamPath } from '@backhaul/contract/nouns/previews'
import type { Unit } from '@backhaul/contract/nouns/units'
import type { VideoReturnChannel } from '@backhaul/contract/nouns/video-return'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { ageByStrip, readTimeCodeStrip } from '@backhaul/ffmpeg/time-code-strip'
import { signalProcess } from '@backhaul/runtime/testing/processes'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { WebSocket } from 'ws'
import { goOnFromEachOther } from '../stage/chains.ts'
import { type Listener, type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { pause, until } from '../stage/until.ts'

const ffmpegPath = findFfmpeg()
const folder = mkdtempSync(join(tmpdir(), 'backhaul-return-'))
const displayed = join(folder, 'displayed.ts')
/** Units dial the first address, the hub is at the second: the links are in between. */
const hubSeen = '127.0.0.10'
const hubReal = '127.0.0.20'
const links = ['127.0.0.2', '127.0.0.3'] as const
const picture = { width: 640, height: 360 }
const enoughBytes = 150_000
const longMs = patientMs(120_000)

/** Words of the command line, none of which holds a space. */
const ffmpeg = (words: string, input?: Buffer) =>
  spawnSync(ffmpegPath!, ['-v', 'quiet', '-y', ...words.split(' ')], { input, maxBuffer: 1e9 }).stdout

function blueFilm(): string {
  const path = join(folder, 'blue.mkv')
  ffmpeg(
    `-f lavfi -i color=blue:size=${picture.width}x${picture.height}:rate=25:duration=4,noise=alls=20:allf=t -c:v libx264 -preset ultrafast ${path}`,
  )
  return path
}

/** The colour of the newest frame. */
function colourOf(stream: Buffer): string {
  const words =
    '-f mpegts -i pipe:0 -an -vf format=rgb24,scale=1:1:flags=area -f rawvideo -pix_fmt rgb24 pipe:1'
  const [red = 0, green = 0, blue = 0] = ffmpeg(words, stream).subarray(-3)
  return blue > 2 * red && blue > 2 * green ? 'blue' : 'other'
}

/** The time of the clock in the newest frame. */
function clockOf(stream: Buffer): number | undefined {
  const frames = ffmpeg('-f mpegts -i pipe:0 -an -f rawvideo -pix_fmt gray pipe:1', stream)
  const frame = frames.subarray(-picture.width * picture.height)
  return readTimeCodeStrip((x, y) => frame[y * picture.width + x] ?? 0, picture.width)
}

describe.runIf(ffmpegPath)('video return', () => {
  let stage: Stage
  let person: Person
  let push: Listener
  let gate: LinkGate
  let upGate: LinkGate
  let unitId: string
  let serverId: string
  let channel: VideoReturnChannel
  /** The address of the picture on the machine of the unit. */
  let address: string
  goOnFromEachOther()

  const returns = () => person.call(api.videoReturn.ofGroup, { params: { groupId: 'newsroom' } })
  const configure = (body: { firstPort: number; latencyMs: number }) =>
    person.call(api.videoReturnAdministration.configureServer, {
      params: { id: serverId },
      body: { ...body, maxReturns: 4 },
    })

  /** The first channel of the hub, on a port with a free one above it, as the gate of the test needs them. */
  async function onEvenPort(): Promise<number> {
    const firstPort = 30_000 + 2 * Math.floor(Math.random() * 10_000)
    await configure({ firstPort, latencyMs: 500 })
    const params = { id: channel.uniqueId }
    const isThere = async () => {
      const [found] = await person.call(api.videoReturn.addresses, { params })
      return found?.port === firstPort
    }
    const moved = await until('the port', isThere).catch(() => false)
    return moved ? firstPort : await onEvenPort()
  }

  beforeAll(async () => {
    stage = await openStage({ demo: 0 })
    await stage.start('hub', {
      env: {
        BACKHAUL_HUB_ADDRESS: hubSeen,
        BACKHAUL_HUB_UNIT_HOST: hubReal,
        BACKHAUL_HUB_CHANNELS: '1',
        BACKHAUL_HUB_RETURN_CHANNELS: '2',
        BACKHAUL_HUB_RETURN_INPUTS: `${blueFilm()},bonded-1`,
      },
    })
    person = await signIn(stage.url, 'admin', adminPassword)
    channel = await until('a return channel with a picture', async () =>
      (await returns()).find(({ status }) => status === 'videoReturnInputConnected'),
    )
    serverId = channel.serverId
    const port = await onEvenPort()
    gate = await openLinkGate(port, { delayMs: 15 }, { host: hubSeen, port, receiverHost: hubReal })
    await stage.start('agent', {
      env: {
        BACKHAUL_UNIT_NAME: 'Van-1',
        BACKHAUL_LINKS: links.map((one, at) => `Modem ${at + 1}=${one}`).join(','),
        BACKHAUL_PICTURE: '640x360p25',
        BACKHAUL_BITRATE_KBPS: '1000',
        BACKHAUL_RETURN_DISPLAY: `cat > ${displayed}`,
        BACKHAUL_RETURN_PORT: '0',
      },
    })
    address = await until(
      'the address of the picture',
      () => /http:\/\/127\.0\.0\.1:\d+\/return\.ts/.exec(stage.lines.join('\n'))?.[0],
    )
    const unit = await until('the unit', async () => {
      const [found] = await person.call(api.units.ofGroup, { query: { group: 'newsroom' } })
      return found?.idle ? found : undefined
    })
    unitId = unit.uid
    push = await person.listen([`unit.${unitId}`, `channel.${channel.uniqueId}`])
  })
  afterAll(async () => {
    push?.close()
    await gate?.close()
    await upGate?.close()
    await stage?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const params = () => ({ id: unitId })
  const phase = (unit: Record<string, unknown>) => (unit as Unit).applications?.videoReturn?.state
  const received = (unit: Record<string, unknown>) => (unit as Unit).videoReturn?.received
  const unitIs = (check: (unit: Record<string, unknown>) => boolean) =>
    push.until(`unit.${unitId}`, check, longMs)
  const channelIs = (status: string) =>
    push.until(`channel.${channel.uniqueId}`, (one) => one.status === status, longMs)

  /** The stream that the unit shows now, from a key frame on. */
  async function seen(): Promise<{ stream: Buffer; atMs: number }> {
    const response = await fetch(address)
    const reader = response.body!.getReader()
    const parts: Uint8Array[] = []
    let bytes = 0
    try {
      while (bytes < enoughBytes) {
        const { value, done } = await reader.read()
        if (done) break
        parts.push(value)
        bytes += value.length
      }
    } finally {
      await reader.cancel()
    }
    return { stream: Buffer.concat(parts), atMs: Date.now() }
  }
  /** The channel as the console shows it. */
  async function previewed(): Promise<Buffer> {
    const socket = new WebSocket(`${stage.url.replace(/^http/, 'ws')}${streamPath(channel.uniqueId)}`, {
      headers: { cookie: person.cookie },
    })
    const parts: Buffer[] = []
    socket.on('message', (bytes: Buffer) => parts.push(bytes))
    socket.on('error', () => {})
    try {
      await until('the stream', () => Buffer.concat(parts).length > enoughBytes)
    } finally {
      socket.close()
    }
    return Buffer.concat(parts)
  }
  const shows = (colour: string) =>
    until(`the unit shows ${colour}`, async () => colourOf((await seen()).stream) === colour, longMs)

  test('[VR-001] sends the picture of the studio to the display of a unit behind NATs', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
    expect(channel).toMatchObject({ input: 'sdi-1', inputStandard: '360p25' })
    await person.call(api.videoReturn.select, { params: params(), body: { channel: channel.uniqueId } })
    await person.call(api.videoReturn.start, { params: params() })
    await channelIs('collecting')
    await unitIs((unit) => received(unit)?.links === 2 && received(unit)?.video?.width === picture.width)
    expect(phase(push.state(`unit.${unitId}`))).toBe('collecting')
    expect(received(push.state(`unit.${unitId}`))).toMatchObject({
      video: { codec: 'h264', ...picture },
      problem: null,
    })
    expect((await returns())[0]).toMatchObject({ unitUid: unitId, unitName: 'Van-1', status: 'collecting' })
    await shows('blue')
    await until('the picture in the console', async () => colourOf(await previewed()) === 'blue')
    await until(
      'the display to show blue',
      () => statSync(displayed).size > enoughBytes && colourOf(readFileSync(displayed)) === 'blue',
    )
  })

  test('comes within the limits that are set for the links of the unit', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
    const { modems } = await person.call(api.units.modems, { params: params() })
    const limit = (...each: readonly [number, number]) =>
      person.call(api.unitCommands.setLinks, {
        params: params(),
        body: each.map((limit, at) => ({
          interface: modems.find(({ id }) => id === `Modem ${at + 1}`)?.port ?? 0,
          enabled: true,
          limit,
        })),
      })
    /** The rate of each link towards the unit in kbit/s, headers not counted. */
    async function rates(): Promise<[number, number]> {
      const bytes = () => links.map((link) => gate.bytesBack(link))
      const [before, fromMs] = [bytes(), performance.now()]
      await pause(2000)
      const after = bytes()
      const kbpsOf = (at: number) =>
        (((after[at] ?? 0) - (before[at] ?? 0)) * 8) / (performance.now() - fromMs)
      return [kbpsOf(0), kbpsOf(1)]
    }
    const becomes = (what: string, check: (first: number, second: number) => boolean) =>
      until(what, async () => check(...(await rates())), longMs)
    await becomes('both links carry it', (first, second) => first > 1200 && second > 1200)
    await limit(1000, 0)
    await becomes('one carries the rest', (first, second) => first > 300 && first < 1010 && second > 1200)
    await limit(1000, 1000)
    await becomes(
      'both are limited',
      (first, second) => first > 60 && first < 1010 && second > 60 && second < 1010,
    )
    // The server encodes it for what is left.
    await shows('blue')
    expect(phase(push.state(`unit.${unitId}`))).toBe('collecting')
    await limit(0, 0)
    await becomes('no link is limited', (first, second) => first + second > 2500)
  })

  test('[VR-004] [VR-006] shows another input on air, and follows the delay that is set', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
    const [up] = (await person.call(api.channels.ofGroup, { query: { group: 'newsroom' } })).filter(
      ({ name }) => name.endsWith('Channel-1'),
    )
    const port = up?.port ?? 0
    upGate = await openLinkGate(port, {}, { host: hubSeen, port, receiverHost: hubReal })
    await person.call(api.unitCommands.command, {
      params: { id: unitId, command: 'set_virtual_channel' },
      body: { virtualChannelName: up?.uniqueId ?? '' },
    })
    await unitIs(({ channelId }) => channelId === up?.uniqueId)
    await person.call(api.unitCommands.start, { params: params(), body: {} })
    await until('the second input', async () =>
      (await returns())[0]?.inputs.some(({ id, connected }) => id === 'sdi-2' && connected),
    )
    await person.call(api.videoReturn.chooseInput, {
      params: { id: channel.uniqueId },
      body: { feedSelectionMode: 'custom', input: 'sdi-2' },
    })
    const age = () =>
      until(
        'the clock',
        async () => {
          const { stream, atMs } = await seen()
          const clock = clockOf(stream)
          return clock === undefined ? undefined : ageByStrip(clock, atMs)
        },
        longMs,
      )
    // A busy machine shows the first pictures late, and catches up.
    await until('a short delay', async () => (await age()) < 3000, longMs)
    const { firstPort } = await person.call(api.videoReturnAdministration.serverConfiguration, {
      params: { id: serverId },
    })
    await configure({ firstPort, latencyMs: 5000 })
    await until('the delay', async () => (await age()) > 4500, longMs)
    expect(phase(push.state(`unit.${unitId}`))).toBe('collecting')
    await configure({ firstPort, latencyMs: 500 })
    await person.call(api.videoReturn.chooseInput, {
      params: { id: channel.uniqueId },
      body: { feedSelectionMode: 'custom', input: 'sdi-1' },
    })
    await shows('blue')
    await person.call(api.unitCommands.stop, { params: params() })
  })

  test('[VR-001] survives the loss of a link, and comes back after that of all links and of the hub', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
    gate.cut(links[0])
    await unitIs((unit) => received(unit)?.links === 1)
    await shows('blue')
    expect(phase(push.state(`unit.${unitId}`))).toBe('collecting')
    gate.cut(links[1])
    await unitIs((unit) => phase(unit) === 'connecting')
    await channelIs('connecting')
    for (const link of links) gate.restore(link)
    await unitIs((unit) => phase(unit) === 'collecting')
    await channelIs('collecting')
    await shows('blue')
    signalProcess(stage.pidOf('hub'), 'SIGKILL')
    await channelIs('offline')
    await channelIs('collecting')
    await unitIs((unit) => phase(unit) === 'collecting' && received(unit)?.links === 2)
    await shows('blue')
    await person.call(api.videoReturn.stop, { params: params() })
    await unitIs((unit) => phase(unit) === undefined)
    await channelIs('videoReturnInputConnected')
    const again = person.call(api.videoReturn.stop, { params: params() })
    await expect(again).rejects.toMatchObject({ status: 409, message: 'Video return is not running.' })

    for (const link of links) gate.cut(link)
    await person.call(api.videoReturn.start, { params: params() })
    const silent = 'videoReturn.serverSilent'
    await unitIs((unit) => (unit as Unit).command?.cause?.code === silent)
    await channelIs('connecting')
    for (const link of links) gate.restore(link)
    await unitIs((unit) => phase(unit) === 'collecting')
    await shows('blue')
  })
})
