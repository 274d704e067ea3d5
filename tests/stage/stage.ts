/** Puts programs of Backhaul on a stage of their own: real processes, real sockets, a data folder that is removed at the end. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProgramName } from '../../scripts/parts.ts'
import { type Program, startProgram } from '../../scripts/program.ts'
import { type Door, openDoor } from './networks.ts'
import { prepareData } from './prepared.ts'
import { mainOfStage } from './programs.ts'
import { startSharedCore } from './shared-cores.ts'

export const adminPassword = 'Stage-Manager-1'

export type Stage = {
  /** Address of core, for example http://127.0.0.1:41234. */
  readonly url: string
  /** The same where core runs, in its network namespace if it has one. */
  readonly innerUrl: string
  /** Address of core's metrics. */
  readonly metricsUrl: string
  readonly dataFolder: string
  /** The registration key that core admits from this machine. */
  readonly localKey: string
  /** The registration key of its first group, for units from elsewhere. */
  readonly registrationKey: string
  /** Process id of a program, for its cost and for killing it. */
  pidOf(name: string): number
  /** Starts a further program and waits until it is ready. `name` is the folder under apps. */
  start(name: ProgramName, options?: StartOptions): Promise<Program>
  /** Ends a program permanently; another of its name can be started in its place. */
  end(name: string): Promise<void>
  /** The output of all programs, for failures. */
  readonly lines: string[]
  stop(): Promise<void>
}

type StartOptions = {
  /** Distinguishes two programs of one kind; each has its own data folder. */
  as?: string
  args?: readonly string[]
  env?: NodeJS.ProcessEnv
  /** Another one than that of core. */
  namespace?: string
}

export type StageOptions = {
  /** Number of simulated units that the demo data is made for; 0 is an empty installation. */
  demo?: number
  env?: NodeJS.ProcessEnv
  /** The network namespace in which core runs, listening on all its addresses. */
  namespace?: string
  /** A process for core alone, for tests that kill it, hold it or start it again. */
  hasOwnCore?: boolean
}

const localKey = 'stage-local-key-0123456789abcdef'

/** A test pattern whose size and rate are not tested: the usual one, 1280x720p30 at 4 Mbit/s, has twenty times as many pixels. */
const smallPicture = { BACKHAUL_PICTURE: '320x180p25', BACKHAUL_BITRATE_KBPS: '1000' }

/** A first start stores these settings in its data, or the data is elsewhere. */
const settingsInData = ['BACKHAUL_ADMIN_PASSWORD', 'DATABASE_URL']

/** Set where most stages need no process of their own for core. */
const sharesCores = Boolean(process.env.TEST_SHARED_CORES)

/** Starts core and returns the stage; hub, agent and simulator are started by tests. */
export async function openStage(options: StageOptions = {}): Promise<Stage> {
  // In memory, where nothing but the console is tested.
  const place = (process.env.TEST_STAGES_IN_MEMORY && process.env.TEST_DATABASES) || tmpdir()
  const dataFolder = mkdtempSync(join(place, 'backhaul-stage-'))
  const programs: Program[] = []
  const lines: string[] = []
  let url = ''
  let innerUrl = ''
  let metricsUrl = ''
  let registrationKey = ''
  let door: Door | undefined

  const usual = {
    ...process.env,
    BACKHAUL_LOG: 'json',
    BACKHAUL_HOST: '127.0.0.1',
    BACKHAUL_PORT: '0',
    BACKHAUL_METRICS_PORT: '0',
    BACKHAUL_DEMO: String(options.demo ?? 0),
    BACKHAUL_ADMIN_PASSWORD: adminPassword,
    BACKHAUL_LOCAL_KEY: localKey,
    BACKHAUL_HUB_MEDIA_PORT: '0',
    BACKHAUL_HUB_ADDRESS: '127.0.0.1',
  }

  async function start(
    name: ProgramName,
    { as = name, args, env, namespace = options.namespace }: StartOptions = {},
  ) {
    const isShared = name === 'core' && sharesCores && !options.hasOwnCore && namespace === undefined
    const program = (isShared ? startSharedCore : startProgram)({
      name: as,
      main: mainOfStage(name),
      namespace,
      ...(args && { args }),
      env: {
        ...usual,
        BACKHAUL_DATA: join(dataFolder, as),
        ...(name === 'agent' && !env?.BACKHAUL_SOURCE && smallPicture),
        // Without a trial of each kind of hardware at every start.
        ...(name === 'agent' && { BACKHAUL_CODER: 'software' }),
        // The pictures of simulated channels, which a hub of a demo paints one after the other, and listeners, which never
        // rest: an empty list, where nothing would be the usual one.
        ...(name === 'hub' && { BACKHAUL_HUB_LOOPS: '0', BACKHAUL_HUB_INPUTS: ',' }),
        ...(innerUrl && { BACKHAUL_CORE_URL: `${innerUrl.replace(/^http/, 'ws')}/gateway` }),
        ...options.env,
        ...env,
      },
      onLine: (line) => lines.push(`${as}: ${line}`),
      onEnd: (reason) => lines.push(`${as} ended: ${reason}`),
    })
    programs.push(program)
    const ready = await program.ready
    // The address of core from which it trusts its own machine.
    if (name === 'core' && ready.url)
      innerUrl = options.namespace ? `http://127.0.0.1:${new URL(ready.url).port}` : ready.url
    if (name === 'core' && ready.registrationKey) ({ registrationKey } = ready)
    if (name === 'core' && ready.metricsUrl) metricsUrl = ready.metricsUrl
    return program
  }

  async function stop() {
    for (const program of programs.toReversed()) await program.stop()
    await door?.close()
    rmSync(dataFolder, { recursive: true, force: true })
  }

  try {
    const hasOwnData = settingsInData.some((name) => name in (options.env ?? {}))
    if (!hasOwnData) await prepareData(join(dataFolder, 'core'), usual)
    await start('core', options.namespace ? { env: { BACKHAUL_HOST: '0.0.0.0' } } : {})
    door = options.namespace
      ? await openDoor(options.namespace, Number(new URL(innerUrl).port), join(dataFolder, 'door'))
      : undefined
    url = door?.url ?? innerUrl
  } catch (error) {
    await stop()
    throw error
  }
  async function end(name: string) {
    const at = programs.findIndex((program) => program.name === name)
    for (const program of at < 0 ? [] : programs.splice(at, 1)) await program.stop()
  }
  const pidOf = (name: string) => {
    const pid = programs.find((program) => program.name === name)?.pid()
    if (pid === undefined) throw new Error(`${name} is not running`)
    return pid
  }
  return { url, innerUrl, metricsUrl, dataFolder, localKey, registrationKey, pidOf, start, end, lines, stop }
}
