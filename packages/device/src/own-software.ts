/** The device's own software: its version, and the installation of another one from a signed package of core. */
import { execFile } from 'node:child_process'
import { createHash, type KeyObject } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, open, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { because } from '@backhaul/contract/define/refusals'
import type { FailedUpgrade, UpgradeArgs } from '@backhaul/contract/gateway/shared'
import { type Clock, systemClock } from '@backhaul/runtime/clock'
import { type FailedTrial, openInstalledVersions } from '@backhaul/runtime/installed-versions'
import type { Log } from '@backhaul/runtime/log'
import { PACKAGE_HEAD_BYTES, type PackageManifest, readPackageHead } from '@backhaul/runtime/software-package'
import { Interrupted, packageAt, type RemotePackage } from './package-download.ts'
import { cutReason, wordingOfError } from './refused.ts'
import type { TokenStore } from './token-store.ts'
import { INSTALL_FAILED, NETWORK_PROBLEM, NO_REPOSITORY, type Upgrade, UpgradeFailed } from './upgrading.ts'

export interface OwnSoftware {
  readonly version: string
  /** Absent where the device cannot upgrade itself. */
  readonly upgrade: Upgrade | undefined
  /** Why this version runs instead of the one that was installed last, until core knows. */
  failed(): FailedUpgrade | undefined
  /** Core has welcomed the device: the version is kept. */
  welcomed(): void
}

export interface OwnSoftwareOptions {
  program: PackageManifest['program']
  /** The version of the program that was set up on the machine. */
  setUpVersion: string
  dataFolder: string
  coreUrl: string
  tokens: TokenStore
  /** Packages are signed by it; without one no other version can be installed. */
  key: KeyObject | undefined
  /** A supervisor starts the program again when it requests that. */
  isSupervised: boolean
  /** A new version that has not reached core within this time is followed by the previous one. */
  trialMs: number
  clock?: Clock
  log: Log
}

/** Failed attempts in a row, which together take about six minutes: core waits longer for the next progress. */
const ATTEMPTS = 40
const LONGEST_PAUSE_MS = 10_000
/** The download is the longest part. */
const DOWNLOADED_PERCENT = 90
/** The files take more on disk than their content. */
const SPACE_FACTOR = 1.2

export function openOwnSoftware(options: OwnSoftwareOptions): OwnSoftware {
  const { key, isSupervised, setUpVersion, log } = options
  const versions = openInstalledVersions(options.dataFolder)
  const version = versions.running() ?? setUpVersion
  const missing = !key
    ? 'BACKHAUL_UPGRADE_KEY is not set'
    : !isSupervised
      ? 'no supervisor restarts the program'
      : undefined
  log.info({ version, ...(missing && { withoutUpgrades: missing }) }, 'software version')

  async function install(
    wanted: UpgradeArgs,
    report: (percent: number) => void,
    by: KeyObject,
  ): Promise<void> {
    if (wanted.version === version) throw new UpgradeFailed(INSTALL_FAILED, 'upgrade.isThere')
    const remote = packageAt(options, wanted.upgradeId)
    const { manifest, from } = await whileInterrupted(options, () => readHead(remote, by))
    requireFitting(manifest, options.program, wanted.version)
    await mkdir(versions.folder, { recursive: true })
    await requireSpace(versions.folder, manifest)
    const archive = join(versions.folder, `${manifest.sha256}.part`)
    await download(options, remote, { manifest, from, archive }, report)
    if ((await sha256Of(archive)) !== manifest.sha256) {
      await rm(archive, { force: true })
      throw new UpgradeFailed(INSTALL_FAILED, 'upgrade.damaged')
    }
    const files = await unpacked(archive, join(versions.folder, `${manifest.version}.new`))
    await rm(archive, { force: true })
    versions.install(files, {
      upgradeId: wanted.upgradeId,
      version: wanted.version,
      withinMs: options.trialMs,
    })
    report(100)
  }

  return {
    version,
    upgrade:
      key && isSupervised ? async (wanted, report) => await orFull(install(wanted, report, key)) : undefined,
    failed() {
      const failed = versions.failed()
      return failed && failedUpgradeOf(failed)
    },
    welcomed() {
      versions.confirm()
      versions.forgetFailed()
    },
  }
}

function failedUpgradeOf({ upgradeId, why, withinMs }: FailedTrial): FailedUpgrade {
  const failure =
    why === 'ended'
      ? new UpgradeFailed(INSTALL_FAILED, 'upgrade.didNotStart')
      : new UpgradeFailed(
          NETWORK_PROBLEM,
          because('upgrade.didNotConnect', { seconds: Math.round(withinMs / 1000) }),
        )
  return { upgradeId, resultCode: failure.code, ...cutReason(wordingOfError(failure)) }
}

/** The manifest, once its signature is known to be right, and where the archive begins. */
async function readHead(
  remote: RemotePackage,
  key: KeyObject,
): Promise<{ manifest: PackageManifest; from: number }> {
  const head = Buffer.concat(await Array.fromAsync(remote.read(0, PACKAGE_HEAD_BYTES)))
  const end = head.indexOf('\n')
  const manifest = end < 0 ? undefined : readPackageHead(head.toString('latin1', 0, end), key)
  if (!manifest) throw new UpgradeFailed(INSTALL_FAILED, 'upgrade.badSignature')
  return { manifest, from: end + 1 }
}

function requireFitting({ program, version, node }: PackageManifest, own: string, wanted: string): void {
  if (program !== own) throw new UpgradeFailed(INSTALL_FAILED, because('upgrade.otherProgram', { program }))
  if (version !== wanted)
    throw new UpgradeFailed(INSTALL_FAILED, because('upgrade.otherVersion', { version }))
  if (Number.parseInt(process.versions.node, 10) < node)
    throw new UpgradeFailed(INSTALL_FAILED, because('upgrade.needsNode', { node }))
}

async function requireSpace(folder: string, { bytes, unpackedBytes }: PackageManifest): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < (bytes + unpackedBytes) * SPACE_FACTOR)
    throw new UpgradeFailed(INSTALL_FAILED, 'upgrade.noSpace')
}

/** Continues after what an earlier attempt has stored. */
async function download(
  options: OwnSoftwareOptions,
  remote: RemotePackage,
  { manifest, from, archive }: { manifest: PackageManifest; from: number; archive: string },
  report: (percent: number) => void,
): Promise<void> {
  const { bytes } = manifest
  let reported = -1
  const stored = async () => (await stat(archive).catch(() => undefined))?.size ?? 0
  const reportAt = (size: number) => {
    const percent = Math.floor((DOWNLOADED_PERCENT * size) / bytes)
    if (percent > reported) report(percent)
    reported = Math.max(reported, percent)
  }
  await whileInterrupted(options, async (hasProgressed) => {
    let size = await stored()
    if (size >= bytes) return
    const file = await open(archive, 'a', 0o600)
    try {
      for await (const chunk of remote.read(from + size, from + bytes)) {
        await file.appendFile(chunk)
        size += chunk.length
        hasProgressed()
        reportAt(size)
      }
    } finally {
      await file.close()
    }
    if (size < bytes) throw new Interrupted()
  })
}

/** Runs it again after each interruption, with growing pauses, until it is done or has failed too often in a row. */
async function whileInterrupted<T>(
  { clock = systemClock }: OwnSoftwareOptions,
  run: (hasProgressed: () => void) => Promise<T>,
): Promise<T> {
  let failures = 0
  for (;;) {
    try {
      return await run(() => {
        failures = 0
      })
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error
      if (error.why === 'missing') throw new UpgradeFailed(NO_REPOSITORY, 'upgrade.noPackage')
      if (error.why === 'short') throw new UpgradeFailed(INSTALL_FAILED, 'upgrade.damaged')
      failures++
      if (failures >= ATTEMPTS) throw new UpgradeFailed(NETWORK_PROBLEM)
      const pauseMs = Math.min(LONGEST_PAUSE_MS, 500 * 2 ** failures)
      await new Promise<void>((resolve) => clock.setTimeout(resolve, pauseMs))
    }
  }
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

const run = promisify(execFile)

/** The files of the archive, on the disk. */
async function unpacked(archive: string, folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  try {
    const how = ['--extract', '--gzip', '--no-same-owner', '--strip-components=1']
    await run('tar', [...how, '--file', archive, '--directory', folder])
    if (!existsSync(join(folder, 'main.js'))) throw new Error('no main.js')
    await run('sync', ['--file-system', folder])
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string }
    await rm(folder, { recursive: true, force: true })
    const isFull = stderr.includes('No space left')
    throw new UpgradeFailed(INSTALL_FAILED, isFull ? 'upgrade.noSpace' : 'upgrade.damaged')
  }
  return folder
}

/** A disk may become full while it is written. */
async function orFull(installing: Promise<void>): Promise<void> {
  try {
    await installing
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
      throw new UpgradeFailed(INSTALL_FAILED, 'upgrade.noSpace')
    throw error
  }
}
