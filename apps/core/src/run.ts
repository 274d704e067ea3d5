// Core from its settings until it listens: main.ts gives it a process of its own.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '@backhaul/runtime/clock'
import { openDataFolder } from '@backhaul/runtime/data-folder'
import { createLog, type Log } from '@backhaul/runtime/log'
import { serveMetrics } from '@backhaul/runtime/metrics-door'
import { openDatabase } from './database/database.ts'
import { lockDatabase } from './database/database-lock.ts'
import { everything } from './database/scope.ts'
import { keyFromFile } from './database/sealing.ts'
import { seedDemo, withPublishedPassword } from './edge/demo/demo.ts'
import { createCore } from './program/core.ts'
import { ensureInstallation } from './program/installation.ts'
import { countProcess } from './program/metrics.ts'
import type { Settings } from './settings.ts'

/** Under a supervisor the next core may start before the last one has ended. */
const predecessorEndsWithinMs = 15_000
/** PostgreSQL sees a moment later that a core was killed. */
const serverNoticesWithinMs = 1000

export interface RunOptions {
  settings: Settings
  /** Receives what is for the operator, each text with its line feed. */
  print: (text: string) => void
  /** From its call on, core ends in order by `stop`. */
  stopBy: (log: Log, stop: () => Promise<void>) => void
  /** Another core has taken the database. */
  onTaken: (error: unknown) => never
}

/** Resolves to the content of the ready line once core listens. */
export async function runCore({ settings, print, stopBy, onTaken }: RunOptions): Promise<object> {
  const log = createLog({ name: 'core', format: settings.logFormat, write: print })
  const { databaseUrl, dataFolder } = settings
  const data = openDataFolder(dataFolder, 'core')
  const hold =
    databaseUrl === undefined
      ? undefined
      : await lockDatabase({
          url: databaseUrl,
          clock: systemClock,
          log,
          waitMs: settings.isSupervised ? predecessorEndsWithinMs : serverNoticesWithinMs,
          // Immediately: the database belongs to the other core, so an orderly stop must not write.
          onTaken,
        })
  const db = await openDatabase(
    databaseUrl ? { url: databaseUrl } : { file: join(dataFolder, 'backhaul.db') },
    (reason) => log.warn({ reason }, 'no index for searches in long lists, they read every row'),
  )
  const secretKey = settings.secretKey ?? (await keyFromFile(join(dataFolder, 'secret.key')))
  const core = await createCore({
    secretKey,
    settings,
    db,
    clock: systemClock,
    log,
    version: versionOfThis(),
  })
  countProcess(core.metrics, core.loopDelay)
  const { madePassword, setupCode } = await ensureInstallation(core, settings)
  const signIns = settings.demo > 0 ? await seedDemo(core, await demoPassword(settings)) : []
  const published = settings.isOpenToOthers ? await withPublishedPassword(core.users) : []
  if (published.length > 0)
    log.warn({ usernames: published }, 'anybody can sign in as users whose password is in the documentation')
  await core.start()
  const { metrics } = settings
  const metricsDoor = metrics && (await serveMetrics(core.metrics, metrics.host, metrics.port))
  stopBy(log, async () => {
    await metricsDoor?.close()
    await core.close()
    await db.destroy()
    await hold?.release()
  })
  const url = localAddress(await core.api.listen(settings.host, settings.port))
  data.announce(url)
  await hold?.announce(url)
  log.info({ url, database: databaseUrl ? 'postgres' : 'sqlite' }, 'listening')
  // Shown once and stored only as its hash.
  if (madePassword) print(`First sign-in: admin ${madePassword}\n`)
  if (setupCode && !settings.isSupervised) print(`First run: ${url}/first_run#${setupCode}\n`)
  const toLauncher = settings.isSupervised
    ? {
        setupCode,
        signIns,
        remarks: remarksOf(settings, published),
        registrationKey: await firstRegistrationKey(core),
      }
    : {}
  return { ready: true, url, metricsUrl: metricsDoor?.url, ...toLauncher }
}

/** A registration key with which the start screen shows how a real unit joins; only the launcher reads it. */
async function firstRegistrationKey(
  core: Awaited<ReturnType<typeof createCore>>,
): Promise<string | undefined> {
  const [group] = await core.groups.light(everything)
  return group && (await core.groups.get(everything, group.uid)).registrationKey
}

/** Where others can reach the demo its users have a password of this installation, which is made once. */
async function demoPassword({ dataFolder, isOpenToOthers }: Settings): Promise<string | undefined> {
  const file = join(dataFolder, 'demo-password')
  return isOpenToOthers || existsSync(file) ? await keyFromFile(file, 12) : undefined
}

/** The remarks of the start screen. */
function remarksOf({ isOpenToOthers }: Settings, published: readonly string[]): string[] {
  if (!isOpenToOthers)
    return ['Only this machine reaches Backhaul; BACKHAUL_HOST=0.0.0.0 opens it to the network.']
  if (published.length === 0) return []
  return [
    `Anybody can sign in as ${published.join(', ')}: their password is in the documentation.`,
    'Set other passwords, or delete these users, in the console under Manage > Users.',
  ]
}

/** An address that a browser on this machine can open, where core listens on all of them. */
function localAddress(address: string): string {
  const url = new URL(address)
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = 'localhost'
  return url.origin
}

/** The product has one version, in the package.json of the root. */
function versionOfThis(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
