/** Settings of the simulator: options of the command line take precedence over the environment. */
import { parseArgs } from 'node:util'
import { DEMO_PASSWORD, localRegistrationKey } from '@backhaul/contract/examples/demo'
import { readSettings, SettingsError, wholeNumber } from '@backhaul/runtime/settings'
import { z } from 'zod'
import type { ScenarioName } from './scenarios/scenario.ts'
import { isScenarioName, scenarios } from './scenarios/scenarios.ts'

/** BACKHAUL_DEMO=1 means the usual fleet. */
const usualUnits = 200
/** Telemetry messages a second of all units together; a larger fleet reports less often. */
const messagesPerSecond = 4000

const schema = z.object({
  BACKHAUL_CORE_URL: z.url({ protocol: /^wss?$/ }).default('ws://127.0.0.1:8080/gateway'),
  BACKHAUL_DATA: z.string().default('data/simulator'),
  BACKHAUL_LOG: z.enum(['json', 'pretty']).default('pretty'),
  BACKHAUL_DEMO: wholeNumber(0, 100_000).default(1),
  BACKHAUL_LOCAL_KEY: z.string().min(20).optional(),
  /** The password with which the desks sign in. */
  BACKHAUL_DEMO_PASSWORD: z.string().default(DEMO_PASSWORD),
  BACKHAUL_SCENARIO: z.string().optional(),
  /** Same meaning as for the hub. */
  BACKHAUL_HUB_LOOPS: wholeNumber(0, 16).default(12),
})

export interface SimulatorSettings {
  coreUrl: string
  dataFolder: string
  logFormat: 'json' | 'pretty'
  seed: number
  units: number
  servers: number
  scenario: ScenarioName | undefined
  /** Whether the desks of the demo start and stop units. */
  desks: boolean
  /** The password of the demo's users. */
  demoPassword: string
  /** Whether some units are switched off a while after they joined, and others in their place later on. */
  switching: boolean
  reportIntervalMs: number
  /** The number of loops that the real hub generates for channels that have no real picture. */
  loops: number
  /** The key with which devices join a group; undefined where only tokens of an earlier run are used. */
  registrationKeyOf: (groupId: string) => string | undefined
}

/** Throws SettingsError. */
export function readSimulatorSettings(
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
): SimulatorSettings {
  const given = readSettings(env, schema)
  const { values } = parseArgs({
    args: [...args],
    options: {
      units: { type: 'string' },
      servers: { type: 'string' },
      seed: { type: 'string' },
      interval: { type: 'string' },
      scenario: { type: 'string' },
      'no-desks': { type: 'boolean', default: false },
      'no-switching': { type: 'boolean', default: false },
    },
  })
  const demo = given.BACKHAUL_DEMO === 1 ? usualUnits : given.BACKHAUL_DEMO
  const units = numberOf('--units', values.units, 0, 100_000) ?? demo
  const scenario = values.scenario ?? given.BACKHAUL_SCENARIO
  if (scenario !== undefined && !isScenarioName(scenario))
    throw new SettingsError([`--scenario: must be one of ${Object.keys(scenarios).join(', ')}`])
  const localKey = given.BACKHAUL_LOCAL_KEY
  return {
    coreUrl: given.BACKHAUL_CORE_URL,
    dataFolder: given.BACKHAUL_DATA,
    logFormat: given.BACKHAUL_LOG,
    seed: numberOf('--seed', values.seed, 0, 2 ** 31) ?? 1,
    units,
    servers: numberOf('--servers', values.servers, 1, 1000) ?? 6,
    scenario,
    demoPassword: given.BACKHAUL_DEMO_PASSWORD,
    desks: !values['no-desks'],
    switching: !values['no-switching'],
    loops: given.BACKHAUL_HUB_LOOPS,
    reportIntervalMs: numberOf('--interval', values.interval, 100, 60_000) ?? intervalFor(units),
    registrationKeyOf: (groupId) => (localKey ? localRegistrationKey(localKey, groupId) : undefined),
  }
}

/** Once a second while the fleet is small enough, else at a longer interval in whole seconds. */
export const intervalFor = (units: number): number => 1000 * Math.max(1, Math.ceil(units / messagesPerSecond))

function numberOf(option: string, text: string | undefined, min: number, max: number): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (Number.isInteger(value) && value >= min && value <= max) return value
  throw new SettingsError([`${option}: must be a whole number from ${min} to ${max} (given "${text}")`])
}
