// The folder in which a program keeps its data: readable by its owner only, and used by one process of a kind at a time.
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CannotStart } from './settings.ts'

class DataFolderInUse extends CannotStart {
  constructor(folder: string, program: string, holder: Holder | undefined) {
    const facts = holder
      ? [`process ${holder.pid}`, ...(holder.url ? [holder.url] : [])]
      : ['another process']
    super(
      `The data folder ${folder} is in use by ${program} (${facts.join(', ')}). Stop it, or name another folder by BACKHAUL_DATA.`,
    )
    this.name = 'DataFolderInUse'
  }
}

interface Holder {
  pid: number
  url?: string | undefined
}

export interface DataFolder {
  /** The address of this process, for the message to a second start. */
  announce(url: string): void
}

/** A parent that was killed cannot wait for its programs: they end by themselves within this time. */
const supervisedWaitMs = 15_000

/** The operating system releases a lock when its process ends, however it ends; nothing else may close these. */
const locks: DatabaseSync[] = []

/**
 * Creates the folder, removes the access of other users to it and its content, and locks it until the process ends; all
 * files that this process writes afterwards are for its owner only. Throws DataFolderInUse while another process holds it.
 */
export function openDataFolder(folder: string, program: string): DataFolder {
  process.umask(0o077)
  mkdirSync(folder, { recursive: true })
  closeToOthers(realpathSync(folder))
  const holderFile = join(folder, `${program}.process`)
  const lock = new DatabaseSync(join(folder, `${program}.lock`), {
    timeout: process.env.BACKHAUL_SUPERVISED === '1' ? supervisedWaitMs : 0,
  })
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== busy) throw error
    throw new DataFolderInUse(folder, program, readHolder(holderFile))
  }
  locks.push(lock)
  const write = (holder: Holder) => writeFileSync(holderFile, `${JSON.stringify(holder)}\n`)
  write({ pid: process.pid })
  return { announce: (url) => write({ pid: process.pid, url }) }
}

/** SQLITE_BUSY */
const busy = 5

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder
  } catch {
    return undefined
  }
}

const sticky = 0o1000
const ofOthers = 0o077

/** Not through links, not of other users, and not a shared folder such as /tmp. */
function closeToOthers(path: string): void {
  try {
    const entry = lstatSync(path)
    if (entry.isSymbolicLink() || entry.uid !== process.getuid?.() || entry.mode & sticky) return
    if (entry.mode & ofOthers) chmodSync(path, entry.mode & 0o700)
    if (entry.isDirectory()) for (const name of readdirSync(path)) closeToOthers(join(path, name))
  } catch (error) {
    // Gone meanwhile, or on a file system without owners.
    if (!['ENOENT', 'EPERM', 'ENOTSUP'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
