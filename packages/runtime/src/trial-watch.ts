// A thread of its own, so that a version on trial that hangs is ended too when it has not reached core in time.
import { workerData } from 'node:worker_threads'
import { openInstalledVersions } from './installed-versions.ts'

const checkEveryMs = 250
/** Longer than a program takes to stop. */
const killAfterMs = 15_000

const { dataFolder, upgradeId, withinMs } = workerData as {
  dataFolder: string
  upgradeId: string
  withinMs: number
}
const versions = openInstalledVersions(dataFolder)
const endMs = performance.now() + withinMs
const timer = setInterval(() => {
  const trial = versions.trial()
  if (trial?.upgradeId !== upgradeId) return clearInterval(timer)
  if (performance.now() < endMs) return
  clearInterval(timer)
  versions.fallBack(trial, 'notConnected')
  process.kill(process.pid, 'SIGTERM')
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), killAfterMs)
}, checkEveryMs)
