// The content of simulated files, and the door where core fetches it.
import type { Log } from '@backhaul/runtime/log'
import type { SimulatorSettings } from '../settings.ts'
import { type FileDoor, openFileDoor } from './file-door.ts'
import type { Footage } from './footage.ts'
import { openTestPattern } from './test-pattern.ts'

export interface FileContent {
  readonly footage: Footage
  readonly door: FileDoor
}

const thisMachine = ['127.0.0.1', 'localhost', '[::1]']

/** Undefined on a machine without a test pattern. A core on this machine is the only one that reaches the door. */
export async function openFileContent(
  { dataFolder, coreUrl }: Pick<SimulatorSettings, 'dataFolder' | 'coreUrl'>,
  log: Log,
): Promise<FileContent | undefined> {
  const footage = await openTestPattern(dataFolder, log)
  if (!footage) return undefined
  const { hostname } = new URL(coreUrl)
  const host = thisMachine.includes(hostname) ? hostname.replace(/[[\]]/g, '') : '::'
  return { footage, door: await openFileDoor(host) }
}
