/** Starts the version of a program that was installed last, or the program that was set up on the machine. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import {
  type InstalledVersions,
  openInstalledVersions,
  RUNNING_VERSION,
  type Trial,
} from './installed-versions.ts'
import { RESTART_CODE } from './stop.ts'

/**
 * The first lines of a program, which are the same in all its versions. A version on trial that ends with an error, or
 * does not reach core in time, is followed by the previous one: the process ends with RESTART_CODE for its supervisor.
 */
export async function startNewest(dataFolder: string, runOwn: () => Promise<unknown>): Promise<void> {
  // Set: this is the version that was chosen.
  if (process.env[RUNNING_VERSION] !== undefined) {
    await runOwn()
    return
  }
  const versions = openInstalledVersions(dataFolder)
  const { version, trial } = versions.choose(setUpProgram())
  process.env[RUNNING_VERSION] = version ?? ''
  if (version === undefined) {
    await runOwn()
    return
  }
  if (trial) watch(dataFolder, versions, trial)
  await import(pathToFileURL(join(versions.folder, version, 'main.js')).href)
}

/** The built script names its parts by the hash of their content. */
const setUpProgram = (): string =>
  createHash('sha256')
    .update(readFileSync(process.argv[1] ?? process.execPath))
    .digest('hex')

function watch(dataFolder: string, versions: InstalledVersions, trial: Trial): void {
  const { upgradeId, withinMs } = trial
  new Worker(new URL('./trial-watch.ts', import.meta.url), {
    workerData: { dataFolder, upgradeId, withinMs },
  })
  process.on('exit', (code) => {
    const isOnTrial = versions.trial()?.upgradeId === upgradeId
    if (isOnTrial && code !== 0 && code !== RESTART_CODE) versions.fallBack(trial, 'ended')
    if (versions.failed()?.upgradeId === upgradeId) process.exitCode = RESTART_CODE
  })
}
