// Starts and supervises everything that `npm start` runs: core, hub and, in the demo, the simulator and an agent.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openDataFolder } from '@backhaul/runtime/data-folder'
import { createLog } from '@backhaul/runtime/log'
import { CannotStart, readSettings, wholeNumber } from '@backhaul/runtime/settings'
import { onStop } from '@backhaul/runtime/stop'
import { z } from 'zod'
import { keptAdminPassword, newPassword } from './admin-password.ts'
import { openLogFile } from './log-file.ts'
import { buildChanged, builtMain, type ProgramName } from './parts.ts'
import { repository } from './places.ts'
import { type Program, type Ready, StartFailure, startProgram } from './program.ts'
import { gatewayUrl, startedScreen } from './screen.ts'

const settingsSchema = z.object({
  BACKHAUL_LOG: z.enum(['json', 'pretty']).default('pretty'),
  BACKHAUL_DATA: z.string().default('data'),
  BACKHAUL_DEMO: wholeNumber(0, 100_000).default(1),
  BACKHAUL_ADMIN_PASSWORD: z.string().optional(),
  DATABASE_URL: z.string().optional(),
  FFMPEG_PATH: z.string().default('ffmpeg'),
})
type Settings = z.output<typeof settingsSchema>

const usualFleet = 200

/** Where the environment names other inputs of the hub, its video return has the first of those. */
const usualReturnInputs: Readonly<Record<string, string>> = process.env.BACKHAUL_HUB_INPUTS
  ? {}
  : { BACKHAUL_HUB_RETURN_INPUTS: 'srt-1,rtmp-1,test' }

/** Names of the demo's real machines, and three links of the unit, all on this machine; the environment may set others. */
const demoSettings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  hub: {
    BACKHAUL_HUB_NAME: 'MCR-London-Hub',
    BACKHAUL_HUB_RETURN_CHANNELS: '2',
    ...usualReturnInputs,
  },
  agent: {
    BACKHAUL_UNIT_NAME: 'LU800-LON-99',
    BACKHAUL_LINKS: 'Modem 1=127.0.0.2,Modem 2=127.0.0.3,Modem 3=127.0.0.4',
  },
}

const givenOf = (defaults: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.keys(defaults).flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  )

const running: Program[] = []
let stopping = false

try {
  await launch(readSettings(process.env, settingsSchema))
} catch (error) {
  // Stopping a program before it was ready is not a failure.
  if (!stopping) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    await stopAll()
    process.exit(error instanceof CannotStart || error instanceof StartFailure ? error.code : 1)
  }
}

async function launch(settings: Settings): Promise<void> {
  const log = createLog({ name: 'launcher', format: settings.BACKHAUL_LOG })
  const dataFolder = resolve(settings.BACKHAUL_DATA)
  const logFolder = join(dataFolder, 'logs')
  onStop(createLog({ name: 'launcher', format: settings.BACKHAUL_LOG, level: 'warn' }), stopAll, {
    limitMs: 40_000,
  })
  // start.mjs was killed: the same as a signal.
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))

  const demo: ProgramName[] = settings.BACKHAUL_DEMO > 0 ? ['simulator', 'agent'] : []
  await buildChanged(['console', 'core', 'hub', ...demo], (changed) =>
    process.stderr.write(`Building ${changed.join(', ')} …\n`),
  )
  // After the build, whose files are no data.
  const data = openDataFolder(dataFolder, 'npm-start')
  mkdirSync(logFolder, { recursive: true })

  // Without a demo the first super user is made in the browser; older installations have a stored password.
  const passwordFile = join(dataFolder, 'admin-password')
  const keepsPassword = settings.BACKHAUL_DEMO > 0 || existsSync(passwordFile)
  const adminPassword =
    keepsPassword && !settings.BACKHAUL_ADMIN_PASSWORD ? keptAdminPassword(passwordFile) : undefined
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    BACKHAUL_LOG: 'json',
    BACKHAUL_DATA: dataFolder,
    BACKHAUL_DEMO: String(settings.BACKHAUL_DEMO),
    // Devices that the launcher starts itself are admitted by this key, from this machine alone.
    BACKHAUL_LOCAL_KEY: randomBytes(32).toString('base64url'),
  }

  function start(name: ProgramName, extra: NodeJS.ProcessEnv): Program {
    const toFile =
      settings.BACKHAUL_LOG === 'pretty' ? openLogFile(join(logFolder, `${name}.log`)) : undefined
    const program = startProgram({
      name,
      main: builtMain(repository, name),
      env: { ...env, ...extra },
      onLine: toFile ?? ((line) => process.stderr.write(`${line}\n`)),
      onEnd(reason, restartInMs) {
        const text = restartInMs === undefined ? 'not restarting' : 'restarting'
        log.error({ program: name, reason, restartInMs }, `a program ended, ${text}`)
      },
    })
    running.push(program)
    return program
  }

  const {
    url,
    signIns = [],
    registrationKey = '',
    setupCode,
    remarks: ofCore = [],
  } = await start('core', {
    BACKHAUL_ADMIN_PASSWORD: settings.BACKHAUL_ADMIN_PASSWORD ?? adminPassword,
    BACKHAUL_SETUP_CODE: process.env.BACKHAUL_SETUP_CODE ?? newPassword(),
  }).ready
  if (!url) throw new Error('core is ready but did not report its address')
  data.announce(url)

  const toCore = (name: string) => ({
    BACKHAUL_CORE_URL: gatewayUrl(url),
    BACKHAUL_DATA: join(dataFolder, name),
    ...(settings.BACKHAUL_DEMO > 0 ? demoSettings[name] : {}),
    ...givenOf(demoSettings[name]),
    ...(name === 'simulator' && { BACKHAUL_DEMO_PASSWORD: signIns[0]?.password }),
  })
  const remarks = await Promise.all([
    start('hub', toCore('hub')).ready.then(() => undefined),
    ...demo.map((name) => remarkOf(start(name, toCore(name)).ready)),
    ffmpegRemark(settings.FFMPEG_PATH),
  ])
  if (stopping) return

  const firstRunUrl = setupCode && `${url}/first_run#${setupCode}`
  if (settings.BACKHAUL_LOG === 'json') {
    if (firstRunUrl) process.stderr.write(`First run: ${firstRunUrl}\n`)
    process.stdout.write(`${JSON.stringify({ ready: true, url })}\n`)
    return
  }
  process.stdout.write(
    startedScreen({
      url,
      programs: running.map(({ name }) => name),
      simulatedUnits: settings.BACKHAUL_DEMO === 1 ? usualFleet : settings.BACKHAUL_DEMO,
      adminPassword,
      isPasswordGiven: settings.BACKHAUL_ADMIN_PASSWORD !== undefined,
      firstRunUrl,
      signIns,
      registrationKey,
      dataFolder,
      logFolder,
      database: settings.DATABASE_URL ? 'PostgreSQL' : 'SQLite',
      remarks: [...ofCore, ...remarks].filter((remark) => remark !== undefined),
    }),
  )
}

/** The demo's programs may fail without taking the rest down: the reason is shown on the screen. */
async function remarkOf(ready: Promise<Ready>): Promise<string | undefined> {
  try {
    await ready
    return undefined
  } catch (error) {
    if (stopping) return undefined
    const remark = error instanceof Error ? error.message : String(error)
    process.stderr.write(`${remark}\n`)
    return remark
  }
}

function ffmpegRemark(path: string): Promise<string | undefined> {
  const missing =
    'ffmpeg is missing: pictures cannot be encoded, received by SRT or RTMP, or turned into stills.'
  return new Promise((resolve) => {
    spawn(path, ['-version'], { stdio: 'ignore' })
      .once('spawn', () => resolve(undefined))
      .once('error', () => resolve(missing))
  })
}

/** In the reverse order of their start, so that devices disconnect while core still listens. */
async function stopAll(): Promise<void> {
  stopping = true
  for (const program of running.toReversed()) await program.stop()
}
