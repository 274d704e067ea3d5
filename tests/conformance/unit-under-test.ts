/** A real agent between the scripted core and two receivers: two cameras that are files, a modem and a fixed line. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UnitActual, UnitSample, UnitWanted, WantedTransmission } from '@backhaul/contract/gateway/units'
import { type SettingName, settingNames, type UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import { superviseChild } from '@backhaul/runtime/child-process'
import { repository } from '../../scripts/places.ts'
import { mainOfStage } from '../stage/programs.ts'
import { until } from '../stage/until.ts'
import { makeFilm } from './film.ts'
import { createPackages } from './packages.ts'
import { openReceivedPicture, type ReceivedPicture, sessionKey } from './received-picture.ts'
import { type ScriptedCore, startScriptedCore } from './scripted-core.ts'

export interface UnitUnderTest {
  readonly core: ScriptedCore
  readonly ffmpegPath: string
  /** Everything of this run; removed at the end. */
  readonly folder: string
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

const appliedWithinMs = 180_000

export async function startUnitUnderTest(
  ffmpegPath: string,
  env: NodeJS.ProcessEnv = {},
): Promise<UnitUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-conformance-'))
  const cameras = ['red', 'lime'].map((colour) => ({ colour, path: join(folder, `${colour}.mkv`) }))
  for (const { colour, path } of cameras) makeFilm(ffmpegPath, colour, path)
  mkdirSync(join(folder, 'unit', 'media'), { recursive: true })
  const [first, second] = [await openReceivedPicture(ffmpegPath), await openReceivedPicture(ffmpegPath)]
  const actual: Partial<UnitActual> = {}
  let newest: UnitSample | undefined
  let revision = 0
  let state: UnitWanted = { channelId: null, delayMs: 1000, transmission: null, disabledLinks: [] }
  let transmissions = 0

  const sendWanted = (to: ScriptedCore) => to.send({ type: 'wanted', revision, state })
  const core = await startScriptedCore({
    welcomed(to) {
      if (revision > 0) sendWanted(to)
    },
  })
  let swVersion: string | undefined
  core.listen((message) => {
    if (message.type === 'hello') ({ swVersion } = message)
    if (message.type === 'report') Object.assign(actual, message.actual)
    if (message.type === 'telemetry') newest = message.samples.at(-1)
  })
  const packages = createPackages('agent', folder)
  const lines: string[] = []
  const agent = superviseChild({
    command: process.execPath,
    args: [
      '--disable-warning=ExperimentalWarning',
      join(repository, 'scripts', 'supervise.ts'),
      mainOfStage('agent'),
    ],
    env: {
      ...process.env,
      BACKHAUL_LOG: 'json',
      BACKHAUL_CORE_URL: core.url,
      BACKHAUL_REGISTRATION_KEY: 'key-of-the-group',
      BACKHAUL_DATA: join(folder, 'unit'),
      BACKHAUL_UNIT_NAME: 'Unit under test',
      BACKHAUL_SOURCE: `file:${cameras[0]?.path}`,
      BACKHAUL_SOURCE_2: `file:${cameras[1]?.path}`,
      BACKHAUL_LINKS: `Modem 1=${linkAddresses.modem},eth0=${linkAddresses.ethernet}`,
      BACKHAUL_BITRATE_KBPS: String(bitrateKbps),
      BACKHAUL_RETURN_PORT: '0',
      BACKHAUL_RETURN_DISPLAY: `cat > '${join(folder, returnedFile)}'`,
      BACKHAUL_UPGRADE_KEY: packages.publicKey,
      BACKHAUL_SHUTDOWN: `touch '${join(folder, shutdownMark)}'`,
      ...env,
    },
    onStdoutLine: (line) => lines.push(line),
    onStderrLine: (line) => lines.push(line),
    killAfterMs: 20_000,
  })

  async function want(changes: Partial<UnitWanted>): Promise<void> {
    state = { ...state, ...changes }
    const mine = ++revision
    let refusal: string | undefined
    const stop = core.listen((message) => {
      if (message.type === 'outcome' && message.revision === mine && message.state === 'refused')
        refusal = message.reason ?? 'refused without a reason'
    })
    sendWanted(core)
    try {
      await until(
        `the unit to follow ${JSON.stringify(changes)}`,
        () => refusal !== undefined || actual.appliedRevision === mine,
        appliedWithinMs,
      )
    } finally {
      stop()
    }
    if (refusal !== undefined) throw new Error(`the unit refused ${JSON.stringify(changes)}: ${refusal}`)
  }

  const pick = (names: readonly SettingName[]): UnitSettings =>
    Object.fromEntries(names.map((name) => [name, actual.settings?.[name]]))

  async function goOffAir(): Promise<void> {
    if (state.transmission) await want({ transmission: null, channelId: null })
  }

  await until('the unit to report', () => actual.applications, 180_000).catch((error: Error) => {
    throw new Error(`${error.message}\n${lines.slice(-20).join('\n')}`)
  })
  return {
    core,
    ffmpegPath,
    folder,
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
      await until('the unit to be streaming', () => actual.state === 'streaming', 180_000)
    },
    goOffAir,
    async stop() {
      await agent.stop()
      await Promise.all([core.close(), first.close(), second.close()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
