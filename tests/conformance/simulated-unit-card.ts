/** The files of a simulated unit, by the orders about them. */
import type { FolderEntry } from '@backhaul/contract/nouns/unit-files'
import type { UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import { pause, until } from '../stage/until.ts'
import { confirmed } from './shared-cases.ts'
import type { UnitAtCore } from './unit-at-core.ts'

export interface CardFile {
  readonly path: string
  readonly sizeBytes: number
}

export interface Recording extends CardFile {
  /** From its beginning, which is in its name, to its end. */
  readonly kbps: number
}

export async function listed(unit: UnitAtCore, path: string): Promise<FolderEntry[]> {
  const entries: FolderEntry[] = []
  const listId = `list-of-${performance.now()}`
  const stop = unit.core.listen((message) => {
    if (message.type === 'folder' && message.listId === listId) entries.push(...message.entries)
  })
  await confirmed(unit, 'list_folder', { listId, path }).finally(stop)
  return entries
}

const rootOf = (unit: UnitAtCore): string => unit.actual().storages?.[0]?.path ?? ''

/** The files of the newest day or the oldest, newest first. */
async function filesOfDay(unit: UnitAtCore, at: 0 | -1): Promise<(FolderEntry & CardFile)[]> {
  const day = (await listed(unit, rootOf(unit))).at(at)
  const folder = `${rootOf(unit)}/${day?.name}`
  return (await listed(unit, folder)).map((entry) => ({ ...entry, path: `${folder}/${entry.name}` }))
}

/** One that is uploaded in a moment, and was not recorded in this run. */
export async function smallestFile(unit: UnitAtCore): Promise<CardFile> {
  const [smallest] = (await filesOfDay(unit, -1)).toSorted((a, b) => a.sizeBytes - b.sizeBytes)
  if (!smallest) throw new Error('there is no file')
  return smallest
}

/** Stores for a moment with these settings. */
export async function record(unit: UnitAtCore, settings: UnitSettings = {}, lastsMs = 0): Promise<Recording> {
  await unit.withSettings(settings, async () => {
    await unit.want({ settings: { sendMode: 'storeAndForward' } })
    await until('the recording to run', () => unit.actual().applications?.store?.state === 'running')
    await pause(lastsMs)
    await unit.want({ settings: { sendMode: 'live' } })
  })
  const [newest] = await filesOfDay(unit, 0)
  const [, day, time = ''] = /\/([\d-]+)\/[^/]*(\d\d-\d\d-\d\d)Z\.mp4$/.exec(newest?.path ?? '') ?? []
  if (!newest || !day) throw new Error(`the newest file is ${newest?.path}`)
  const lengthMs = newest.modifiedMs - Date.parse(`${day}T${time.replaceAll('-', ':')}Z`)
  return {
    path: newest.path,
    sizeBytes: newest.sizeBytes,
    kbps: Math.round((newest.sizeBytes * 8) / lengthMs),
  }
}

export async function uploaded(unit: UnitAtCore, path: string): Promise<Buffer> {
  const uploadId = `upload-of-unit-${unit.core.uploads.size + 1}`
  await confirmed(unit, 'upload_file', { uploadId, path })
  return unit.core.uploads.get(uploadId) ?? Buffer.alloc(0)
}

/** The beginning of a file as text. */
export const startOf = async (unit: UnitAtCore, path: string): Promise<string> =>
  (await uploaded(unit, path)).subarray(0, 100).toString('latin1')
