// Files of a unit over its bonded links, in network namespaces: judged by the counters of the kernel on each link, and by
// the checksum of the file that the server has stored.
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { api } from '@backhaul/contract/api/api'
import type { Channel } from '@backhaul/contract/nouns/channels'
import type { FileUpload } from '@backhaul/contract/nouns/unit-files'
import type { UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import type { Unit } from '@backhaul/contract/nouns/units'
import { signalProcess } from '@backhaul/runtime/testing/processes'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { goOnFromEachOther } from '../stage/chains.ts'
import {
  bytesSent,
  canMakeNamespaces,
  makeByIp,
  makeCable,
  makeNamespace,
  removeNamespace,
} from '../stage/networks.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const patienceMs = patientMs(90_000)
const megabyte = 1024 * 1024
const studio = `bh-studio-${process.pid}`
const van = `bh-van-${process.pid}`
const coreHost = '10.197.0.1'
/** Units do not reach the second one by UDP: its address leads nowhere. */
const hubs = { 'Hub-1': '10.197.0.11', 'Hub-2': '192.0.2.1' } as const
const links = [
  { name: 'wwan0', kbps: 5000 },
  { name: 'eth0', kbps: 3000 },
] as const

describe.runIf(canMakeNamespaces())('files over the links of a unit', () => {
  let stage: Stage
  let person: Person
  let unit: Unit
  goOnFromEachOther()

  const showLines = () => console.error(stage.lines.slice(-60).join('\n'))
  const params = () => ({ id: unit.uid })
  const read = () => person.call(api.units.byId, { params: params() })
  const counts = () => links.map(({ name }) => bytesSent(van, name))

  function makeNetworks(): void {
    for (const name of [studio, van]) makeNamespace(name)
    for (const address of [coreHost, hubs['Hub-1']])
      makeByIp('-n', studio, 'addr', 'add', `${address}/32`, 'dev', 'lo')
    for (const [at, { name, kbps }] of links.entries()) {
      const [near, far] = [
        { namespace: van, name, address: `10.198.${at}.2` },
        { namespace: studio, name: `van-${name}`, address: `10.198.${at}.1` },
      ]
      makeCable(near, far, kbps)
      openRoute(at)
      // Each link has its own way also where its socket is not bound to the interface.
      makeByIp('-n', van, 'rule', 'add', 'from', near.address, 'table', String(100 + at))
    }
  }

  function openRoute(at: number): void {
    const way = ['via', `10.198.${at}.1`, 'dev', links[at]!.name, 'metric', String(100 + at)]
    makeByIp('-n', van, 'route', 'replace', 'default', ...way)
    makeByIp('-n', van, 'route', 'replace', 'default', ...way, 'table', String(100 + at))
  }

  const startHub = (name: keyof typeof hubs) =>
    stage.start('hub', {
      as: name,
      env: {
        BACKHAUL_HUB_NAME: name,
        BACKHAUL_HUB_ADDRESS: hubs[name],
        BACKHAUL_HUB_UNIT_HOST: hubs['Hub-1'],
        BACKHAUL_HUB_CHANNELS: '1',
      },
    })

  beforeAll(async () => {
    makeNetworks()
    stage = await openStage({ demo: 0, namespace: studio, hasOwnCore: true })
    await startHub('Hub-1')
    await startHub('Hub-2')
    await stage.start('agent', {
      namespace: van,
      env: {
        BACKHAUL_REGISTRATION_KEY: stage.registrationKey,
        BACKHAUL_CORE_URL: `ws://${coreHost}:${new URL(stage.innerUrl).port}/gateway`,
      },
    })
    person = await signIn(stage.url, 'admin', adminPassword)
    unit = await until(
      'the unit with its storage and both links',
      async () =>
        (await person.call(api.units.ofGroup, { query: { group: 'newsroom' } })).find(
          ({ storages, modems }) => storages.length > 0 && modems.length === links.length,
        ),
      patienceMs,
    )
  }, 4 * patienceMs)
  afterAll(async () => {
    await stage?.stop()
    for (const name of [studio, van]) removeNamespace(name)
  })

  async function select(hub: keyof typeof hubs): Promise<string> {
    const { items } = await person.call(api.channelAdministration.list, { query: { limit: 100 } })
    const channelId = items.find((one) => one.serverName === hub)?.uniqueId ?? ''
    await person.call(api.unitCommands.command, {
      params: { id: unit.uid, command: 'set_virtual_channel' },
      body: { virtualChannelName: channelId },
    })
    await until('the channel', async () => (await read()).channelId === channelId)
    return channelId
  }

  /** A file of this many megabytes on the unit, that is being uploaded. */
  async function upload(name: string, megabytes: number): Promise<string> {
    const media = unit.storages[0]?.path ?? ''
    mkdirSync(media, { recursive: true })
    const path = join(media, name)
    writeFileSync(path, randomBytes(megabytes * megabyte))
    await person.call(api.unitFiles.upload, { params: params(), body: { paths: [path] } })
    return path
  }

  const newest = async (): Promise<FileUpload | undefined> => (await read()).uploadedFiles[0]
  const folderOf = (hub: keyof typeof hubs) => join(stage.dataFolder, hub)

  /** The bytes of the running upload that the server has on its disk. */
  function kept(hub: keyof typeof hubs = 'Hub-1'): number {
    const incoming = join(folderOf(hub), 'incoming')
    const names = readdirSync(stage.dataFolder).includes(hub) ? namesIn(incoming) : []
    const part = names.find((one) => one.endsWith('.part'))
    return part === undefined ? 0 : (statSync(join(incoming, part), { throwIfNoEntry: false })?.size ?? 0)
  }
  const namesIn = (folder: string): string[] =>
    statSync(folder, { throwIfNoEntry: false }) ? readdirSync(folder) : []

  async function hashOf(path: string): Promise<string> {
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash)
    return hash.digest('hex')
  }

  async function arrives(source: string, hub: keyof typeof hubs, channelId: string): Promise<void> {
    const done = await until(
      'the end of the upload',
      async () => {
        // Core may still be starting.
        const now = await newest().catch(() => undefined)
        return now && !['pending', 'uploading', 'waiting'].includes(now.state) ? now : undefined
      },
      patienceMs,
    )
    const { size } = statSync(source)
    expect(done).toMatchObject({ state: 'success', reason: null, sizeBytes: size, sentBytes: size })
    const stored = join(folderOf(hub), 'uploads', channelId, unit.uid, done.name)
    expect(await hashOf(stored)).toBe(await hashOf(source))
    rmSync(source)
  }

  test(
    '[FILE-005] a file goes over both links at once',
    async () => {
      onTestFailed(showLines)
      const channelId = await select('Hub-1')
      const before = counts()
      const beganMs = performance.now()
      const source = await upload('Both.mp4', 8)
      await arrives(source, 'Hub-1', channelId)
      const carried = counts().map((bytes, at) => bytes - before[at]!)
      const kbps = (8 * megabyte * 8) / (performance.now() - beganMs)
      console.info(`8 MiB at ${Math.round(kbps)} kbit/s, over ${carried.join(' and ')} bytes`)
      // More than the other one alone would have left for it.
      for (const bytes of carried) expect(bytes).toBeGreaterThan(2 * megabyte)
    },
    3 * patienceMs,
  )

  test(
    '[FILE-005] a link that is cut in the middle does not end it, and carries again when it is back',
    async () => {
      onTestFailed(showLines)
      const channelId = await select('Hub-1')
      const source = await upload('Cut.mp4', 16)
      await until('some of the file', () => kept() > 2 * megabyte, patienceMs)
      makeByIp('-n', van, 'link', 'set', 'wwan0', 'down')
      const atCut = kept()
      await until('more of it over the other link', () => kept() > atCut + megabyte, patienceMs)
      makeByIp('-n', van, 'link', 'set', 'wwan0', 'up')
      openRoute(0)
      const [before = 0] = counts()
      await until('the link in use again', () => bytesSent(van, 'wwan0') > before + megabyte, patienceMs)
      await arrives(source, 'Hub-1', channelId)
    },
    3 * patienceMs,
  )

  test(
    '[FILE-005] it continues where it stopped when the agent, the hub and core are killed',
    async () => {
      onTestFailed(showLines)
      const channelId = await select('Hub-1')
      const source = await upload('Killed.mp4', 24)
      for (const [at, name] of ['agent', 'Hub-1', 'core'].entries()) {
        const least = (at + 1) * 5 * megabyte
        await until('some more of the file', () => kept() >= least, patienceMs)
        signalProcess(stage.pidOf(name), 'SIGKILL')
        const before = kept()
        expect(before).toBeGreaterThanOrEqual(least)
        // New data are appended: the part never gets shorter.
        await until(
          `the upload continuing after the end of ${name}`,
          () => {
            const size = kept()
            if (size < before) throw new Error(`${size} of ${before} are left`)
            return size > before + megabyte / 2
          },
          patienceMs,
        )
      }
      await arrives(source, 'Hub-1', channelId)
      expect(kept()).toBe(0)
    },
    5 * patienceMs,
  )

  test(
    '[FILE-005] a link that is switched off carries nothing of it',
    async () => {
      onTestFailed(showLines)
      const channelId = await select('Hub-1')
      const enable = async (enabled: boolean) => {
        const body = [{ interface: 1, enabled }]
        await person.call(api.unitCommands.setLinks, { params: params(), body })
        const isSet = async () => {
          const { modems, offlineModems } = await read()
          return [...modems, ...offlineModems].find(({ id }) => id === 'eth0')?.enabled === enabled
        }
        await until('the link as it is set', isSet, patienceMs)
      }
      await enable(false)
      const before = bytesSent(van, 'eth0')
      const source = await upload('Off.mp4', 4)
      await arrives(source, 'Hub-1', channelId)
      expect(bytesSent(van, 'eth0') - before).toBeLessThan(megabyte / 10)
      await enable(true)
    },
    3 * patienceMs,
  )

  async function configure(body: UnitSettings): Promise<void> {
    await person.call(api.unitSettings.configure, { params: params(), body })
    const unconfirmed = async () =>
      (await person.call(api.units.configuration, { params: params() })).unconfirmed
    await until('the settings at the unit', async () => (await unconfirmed()).length === 0, patienceMs)
  }

  test(
    '[FILE-005] the cheap link takes all of it within the limit of the unit',
    async () => {
      onTestFailed(showLines)
      const channelId = await select('Hub-1')
      await configure({ leastCostBonding: 'ETH/Wi-Fi first', totalLimitKbps: 2000 })
      const source = await upload('Limit.mp4', 4)
      await until('some of the file', () => kept() > megabyte / 4, patienceMs)
      const before = counts()
      const beganMs = performance.now()
      await arrives(source, 'Hub-1', channelId)
      const ms = performance.now() - beganMs
      const [modem = 0, cable = 0] = counts().map((bytes, at) => bytes - before[at]!)
      console.info(`limited to 2000 kbit/s: modem ${modem}, cable ${cable} bytes in ${Math.round(ms)} ms`)
      expect(cable).toBeGreaterThan(2 * megabyte)
      expect(modem).toBeLessThan(cable / 8)
      expect(((modem + cable) * 8) / ms).toBeLessThan(2300)
      await configure({ leastCostBonding: 'disabled', totalLimitKbps: 0 })
    },
    3 * patienceMs,
  )

  test(
    '[FILE-005] it waits for a picture that needs the whole limit of the unit',
    async () => {
      onTestFailed(showLines)
      const channelId = await select('Hub-1')
      await configure({ totalLimitKbps: 1500 })
      const push = await person.listen([`channel.${channelId}`])
      const reception = () => (push.state(`channel.${channelId}`) as Partial<Channel>)?.reception
      await person.call(api.unitCommands.start, { params: params(), body: { channel: channelId } })
      await until('the picture at its limit', () => (reception()?.kbps ?? 0) > 1000, patienceMs)
      const source = await upload('Live.mp4', 4)
      await until('some of the file', () => kept() > 0, patienceMs)
      const before = kept()
      const rates: number[] = []
      const watchedMs = patientMs(12_000)
      const beganMs = performance.now()
      await until('the rates of some seconds', () => {
        const kbps = reception()?.kbps
        if (kbps !== undefined && kbps !== rates.at(-1)) rates.push(kbps)
        return rates.length >= 5 && performance.now() - beganMs > watchedMs
      })
      const fileKbps = ((kept() - before) * 8) / (performance.now() - beganMs)
      console.info(`picture ${rates.join(', ')} kbit/s, file ${Math.round(fileKbps)} kbit/s`)
      expect(rates.toSorted((a, b) => a - b)[Math.floor(rates.length / 2)]).toBeGreaterThan(800)
      expect(fileKbps).toBeLessThan(400)
      await person.call(api.unitCommands.stop, { params: params() })
      push.close()
      await arrives(source, 'Hub-1', channelId)
      await configure({ totalLimitKbps: 0 })
    },
    4 * patienceMs,
  )

  test(
    '[FILE-005] it goes through core to a server that no link reaches',
    async () => {
      onTestFailed(showLines)
      const channelId = await select('Hub-2')
      const source = await upload('Core.mp4', 4)
      await until('some of the file', () => kept('Hub-2') > 0, patienceMs)
      const beganMs = performance.now()
      await arrives(source, 'Hub-2', channelId)
      console.info(
        `4 MiB through core at ${Math.round((4 * megabyte * 8) / (performance.now() - beganMs))} kbit/s`,
      )
      expect(stage.lines.some((line) => /^core: .*"way":"core"/.test(line))).toBe(true)
    },
    3 * patienceMs,
  )
})
