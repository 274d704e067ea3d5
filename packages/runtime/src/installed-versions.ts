/**
 * The versions of a program that are installed in its data folder:
 *
 * versions/<number>     the files of a version, which its main.js starts
 * versions/current      a link to the one to run; without it, the program that was set up on the machine
 * versions/set-up       which program that was; after it was replaced, it runs instead of the installed version
 * versions/trial.json   the newest version has not reached core yet
 * versions/failed.json  why a trial ended, until core knows
 *
 * Programs of different versions read these files: a change of their form must be understood by older ones.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** A version that was killed may be started again: perhaps the machine lost its power. */
const STARTS_ON_TRIAL = 2

const Trial = z.object({
  upgradeId: z.string(),
  version: z.string(),
  /** null: the program that was set up. */
  previous: z.string().nullable(),
  starts: z.number().int(),
  /** It has to reach core within this time of its start. */
  withinMs: z.number(),
})
export type Trial = z.infer<typeof Trial>

const FailedTrial = z.object({
  upgradeId: z.string(),
  why: z.enum(['ended', 'notConnected']),
  withinMs: z.number(),
})
export type FailedTrial = z.infer<typeof FailedTrial>

/** The version that `startNewest` has started; '' for the program that was set up. */
export const RUNNING_VERSION = 'BACKHAUL_RUNNING_VERSION'

export interface InstalledVersions {
  readonly folder: string
  /** The version of this process; undefined for the program that was set up. */
  running(): string | undefined
  /** Chooses what to run, at the start of a process; `setUp` identifies the program that was set up. */
  choose(setUp: string): { version: string | undefined; trial: Trial | undefined }
  trial(): Trial | undefined
  /** Puts the files of a version, which are in `from`, in place, to be run on trial from the next start on. */
  install(from: string, trial: Pick<Trial, 'upgradeId' | 'version' | 'withinMs'>): void
  /** The running version has reached core: it is kept, and versions before it are removed. */
  confirm(): void
  /** The next start is that of the previous version. */
  fallBack(trial: Trial, why: FailedTrial['why']): void
  failed(): FailedTrial | undefined
  forgetFailed(): void
}

export function openInstalledVersions(dataFolder: string): InstalledVersions {
  const folder = join(dataFolder, 'versions')
  const [current, setUpFile] = [join(folder, 'current'), join(folder, 'set-up')]
  const [trialFile, failedFile] = [join(folder, 'trial.json'), join(folder, 'failed.json')]

  const trial = () => readJson(trialFile, Trial)
  const failed = () => readJson(failedFile, FailedTrial)
  const running = () => process.env[RUNNING_VERSION] || undefined

  function currentVersion(): string | undefined {
    try {
      const version = readlinkSync(current)
      return existsSync(join(folder, version, 'main.js')) ? version : undefined
    } catch {
      return undefined
    }
  }

  function switchTo(version: string | null): void {
    if (version === null) rmSync(current, { force: true })
    else {
      const next = `${current}.new`
      rmSync(next, { force: true })
      symlinkSync(version, next)
      renameSync(next, current)
    }
    syncPath(folder)
  }

  function fallBack({ upgradeId, previous, withinMs }: Trial, why: FailedTrial['why']): void {
    // Interrupted after any of these lines, the next start does it again.
    if (failed()?.upgradeId !== upgradeId)
      writeDurably(failedFile, JSON.stringify({ upgradeId, why, withinMs }))
    switchTo(previous)
    rmSync(trialFile, { force: true })
  }

  /** Versions that neither run nor may be returned to, and downloads that were given up. */
  function removeOthers(kept: readonly (string | null)[]): void {
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if ((entry.isDirectory() && !kept.includes(entry.name)) || entry.name.endsWith('.part'))
        rmSync(join(folder, entry.name), { recursive: true, force: true })
  }

  return {
    folder,
    running,
    trial,
    choose(setUp) {
      if (!existsSync(folder)) return { version: undefined, trial: undefined }
      const before = readText(setUpFile)
      if (before !== undefined && before !== setUp) {
        switchTo(null)
        rmSync(trialFile, { force: true })
      }
      if (before !== setUp) writeDurably(setUpFile, setUp)
      const onTrial = trial()
      if (!onTrial) return { version: currentVersion(), trial: undefined }
      const isOver =
        onTrial.starts >= STARTS_ON_TRIAL ||
        currentVersion() !== onTrial.version ||
        failed()?.upgradeId === onTrial.upgradeId
      if (isOver) fallBack(onTrial, 'ended')
      else writeDurably(trialFile, JSON.stringify({ ...onTrial, starts: onTrial.starts + 1 }))
      return { version: currentVersion(), trial: isOver ? undefined : onTrial }
    },
    install(from, { upgradeId, version, withinMs }) {
      const place = join(folder, version)
      rmSync(place, { recursive: true, force: true })
      renameSync(from, place)
      syncPath(folder)
      const begun: Trial = { upgradeId, version, previous: running() ?? null, starts: 0, withinMs }
      rmSync(failedFile, { force: true })
      writeDurably(trialFile, JSON.stringify(begun))
      switchTo(version)
    },
    confirm() {
      const onTrial = trial()
      if (!onTrial || onTrial.version !== running()) return
      rmSync(trialFile, { force: true })
      removeOthers([onTrial.version, onTrial.previous])
    },
    fallBack,
    failed,
    forgetFailed: () => rmSync(failedFile, { force: true }),
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** A damaged file counts as none. */
function readJson<T>(file: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data
  } catch {
    return undefined
  }
}

function writeDurably(file: string, content: string): void {
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(`${file}.new`, content, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
  syncPath(join(file, '..'))
}

function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
