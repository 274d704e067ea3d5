/** A unit as core sees it: what it reports, and what is wanted of it. */
import type { UnitActual, UnitSample, UnitWanted } from '@backhaul/contract/gateway/units'
import { type SettingName, settingNames, type UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import type { ScriptedCore } from './scripted-core.ts'
import type { UnderTest } from './shared-cases.ts'

export interface UnitAtCore extends UnderTest {
  /** As reported last, with every change. */
  actual(): Partial<UnitActual>
  sample(): UnitSample | undefined
  /** The version of the program that sent the last hello. */
  swVersion(): string | undefined
  wanted(): UnitWanted
  /** The wanted state with these changes; resolves when it is applied, rejects with the reason of the unit. */
  want(changes: Partial<UnitWanted>): Promise<void>
  /** Applies the settings, looks, and sets back what they were before. */
  withSettings<T>(settings: UnitSettings, look: () => Promise<T>): Promise<T>
}

export function followUnit(core: ScriptedCore): UnitAtCore {
  const actual: Partial<UnitActual> = {}
  let newest: UnitSample | undefined
  let swVersion: string | undefined
  let state: UnitWanted = { channelId: null, delayMs: 1000, transmission: null, disabledLinks: [] }
  core.listen((message) => {
    if (message.type === 'hello') ({ swVersion } = message)
    if (message.type === 'report') Object.assign(actual, message.actual)
    if (message.type === 'telemetry') newest = message.samples.at(-1)
  })

  async function want(changes: Partial<UnitWanted>): Promise<void> {
    state = { ...state, ...changes }
    await core.want({ type: 'wanted', state })
  }

  const pick = (names: readonly SettingName[]): UnitSettings =>
    Object.fromEntries(names.map((name) => [name, actual.settings?.[name]]))

  return {
    core,
    actual: () => actual,
    sample: () => newest,
    swVersion: () => swVersion,
    wanted: () => state,
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
  }
}
