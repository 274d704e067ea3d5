/** A real agent between the scripted core and two receivers: two cameras that are files, a modem and a fixed line. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UnitActual, UnitSample, UnitWanted, WantedTransmission } from '@backhaul/contract/gateway/units'
import { type SettingName, settingNames, type UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import { until } from '../stage/until.ts'
import { makeFilm } from './film.ts'
import { createPackages } from './packages.ts'
import { openPipeNetwork, type PipeNetwork } from './pipe-network.ts'
import { openReceivedPicture, type ReceivedPicture, sessionKey } from './received-picture.ts'
import { startScriptedCore } from './scripted-core.ts'
import { patienceMs, type UnderTest } from './shared-cases.ts'
import { startSupervised } from './supervised-program.ts'

export interface UnitUnderTest extends UnderTest {
  readonly ffmpegPath: string
  /** Everything of this run; removed at the end. */
  readonly folder: string
  /** That of its crew, for IP pipes. */
  readonly network: PipeNetwork
  /** What the unit sends of its first camera, or of the one that the switcher shows. */
  readonly first: ReceivedPicture
  readonly second: ReceivedPicture
  /** As reported last, with every change. */
  actual(): Partial<UnitActual>
  sample(): UnitSample | undefined
  /** Of the program that said hello last. */
  swVersion(): string | undefined
  /** A signed package of the agent as a version of this number. */
  makePackage(version: string): Buffer
  /** The wanted state with these changes; resolves when it is applied, rejects with the reason of the unit. */
  want(changes: Partial<UnitWanted>): Promise<void>
  /** Applies the settings, looks, and sets back what they were before. */
  withSettings<T>(settings: UnitSettings, look: () => Promise<T>): Promise<T>
  /** Sends to `first`, if it does not already; with feeds, to `second` too. */
  goOnAir(more?: Pick<WantedTransmission, 'activity' | 'feeds'>): Promise<void>
  goOffAir(): Promise<void>
  stop(): Promise<void>
}

export const linkAddresses = { modem: '127.0.0.2', ethernet: '127.0.0.3' } as const
const bitrateKbps = 3000
/** What the display of this unit, a command, gets of a returned picture. */
export const returnedFile = 'returned.ts'
/** Written by the command that the owner of this unit has set for its shutdown. */
export const shutdownMark = 'was-shut-down'

export async function startUnitUnderTest(ffmpegPath: string): Promise<UnitUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-conformance-'))
  const cameras = ['red', 'lime'].map((colour) => ({ colour, path: join(folder, `${colour}.mkv`) }))
  for (const { colour, path } of cameras) makeFilm(ffmpegPath, colour, path)
  mkdirSync(join(folder, 'unit', 'media'), { recursive: true })
  const [first, second] = [await openReceivedPicture(ffmpegPath), await openReceivedPicture(ffmpegPath)]
  const actual: Partial<UnitActual> = {}
  let newest: UnitSample | undefined
  let state: UnitWanted = { channelId: null, delayMs: 1000, transmission: null, disabledLinks: [] }
  let transmissions = 0

  const core = await startScriptedCore()
  let swVersion: string | undefined
  core.listen((message) => {
    if (message.type === 'hello') ({ swVersion } = message)
    if (message.type === 'report') Object.assign(actual, message.actual)
    if (message.type === 'telemetry') newest = message.samples.at(-1)
  })
  const packages = createPackages('agent', folder)
  const network = await openPipeNetwork()
  const agent = startSupervised('agent', {
    BACKHAUL_CORE_URL: core.url,
    BACKHAUL_DATA: join(folder, 'unit'),
    BACKHAUL_UNIT_NAME: 'Unit under test',
    BACKHAUL_SOURCE: `file:${cameras[0]?.path}`,
    BACKHAUL_SOURCE_2: `file:${cameras[1]?.path}`,
    BACKHAUL_LINKS: `Modem 1=${linkAddresses.modem},eth0=${linkAddresses.ethernet}`,
    BACKHAUL_BITRATE_KBPS: String(bitrateKbps),
    BACKHAUL_RETURN_PORT: '0',
    BACKHAUL_DATABRIDGE_ADDRESS: '127.0.0.1',
    BACKHAUL_IP_PIPE_BRIDGE: network.bridge,
    BACKHAUL_RETURN_DISPLAY: `cat > '${join(folder, returnedFile)}'`,
    BACKHAUL_UPGRADE_KEY: packages.publicKey,
    BACKHAUL_SHUTDOWN: `touch '${join(folder, shutdownMark)}'`,
  })

  async function want(changes: Partial<UnitWanted>): Promise<void> {
    state = { ...state, ...changes }
    await core.want({ type: 'wanted', state })
  }

  const pick = (names: readonly SettingName[]): UnitSettings =>
    Object.fromEntries(names.map((name) => [name, actual.settings?.[name]]))

  async function goOffAir(): Promise<void> {
    if (state.transmission) await want({ transmission: null, channelId: null })
  }

  await until('the unit to report', () => actual.applications, patienceMs).catch((error: Error) => {
    throw new Error(`${error.message}\n${agent.lastLines()}`)
  })
  return {
    core,
    ffmpegPath,
    folder,
    network,
    first,
    second,
    actual: () => actual,
    sample: () => newest,
    swVersion: () => swVersion,
    makePackage: packages.make,
    want,
    async withSettings(settings, look) {
      const before = pick(settingNames(settings))
      await want({ settings })
      try {
        return await look()
      } finally {
        await want({ settings: before })
      }
    },
    async goOnAir(more = {}) {
      if (state.transmission && JSON.stringify(state.transmission.feeds) === JSON.stringify(more.feeds))
        return
      await goOffAir()
      const id = `transmission-${++transmissions}`
      first.admit(id)
      second.admit(id)
      const key = sessionKey.toString('base64')
      await want({
        channelId: 'one',
        transmission: { id, channelId: 'one', key, targets: [first.target], ...more },
      })
      await until('the unit to be streaming', () => actual.state === 'streaming', patienceMs)
    },
    goOffAir,
    async stop() {
      await agent.stop()
      await Promise.all([core.close(), first.close(), second.close()])
      network.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
