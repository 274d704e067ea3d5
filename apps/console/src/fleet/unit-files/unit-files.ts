// The open folder of a unit: its entries, the marked ones, and the actions on them.
import { unitFiles as calls } from '@backhaul/contract/api/unit-files'
import type { FileUpload, FolderEntry } from '@backhaul/contract/nouns/unit-files'
import { call, describeFault, type Fault, faultWords } from '../../doors/api.ts'
import { createKeyedStore } from '../../ui/keyed-store.ts'
import { createValue } from '../../ui/value.ts'

/** A file or a folder, as the list shows it. */
export interface ShownEntry extends FolderEntry {
  path: string
  marked: boolean
  /** The newest one of the file, if it is among those that are kept in sight. */
  upload: FileUpload | undefined
}

export interface OpenFolder {
  uid: string
  path: string
}

interface FolderState {
  state: 'loading' | 'ready' | 'error'
  errorText?: string
  asked: OpenFolder | null
  isCut: boolean
}

export const entryStore = createKeyedStore<ShownEntry>()
export const folderState = createValue<FolderState>({ state: 'ready', asked: null, isCut: false })

let newest = 0

/** Null closes what is open. */
export async function openFolder(asked: OpenFolder | null, uploads: readonly FileUpload[]): Promise<void> {
  newest += 1
  const own = newest
  const before = folderState.get().asked
  const isSame = before?.uid === asked?.uid && before?.path === asked?.path
  if (!isSame) show([])
  if (!asked) return folderState.set({ state: 'ready', asked, isCut: false })
  if (!isSame) folderState.set({ state: 'loading', asked, isCut: false })
  try {
    const { uid, path } = asked
    const { entries, isCut } = await call(calls.folder, { params: { id: uid }, query: { path } })
    if (own !== newest) return
    show(entries.map((entry) => shownAs(entry, path, uploads)))
    folderState.set({ state: 'ready', asked, isCut })
  } catch (error) {
    if (own !== newest) return
    show([])
    folderState.set({ state: 'error', asked, isCut: false, errorText: faultWords(describeFault(error)) })
  }
}

function show(entries: readonly ShownEntry[]): void {
  entryStore.replaceAll(entries.map((entry) => [entry.path, entry] as const))
  entryStore.flush()
}

function shownAs(entry: FolderEntry, folder: string, uploads: readonly FileUpload[]): ShownEntry {
  const path = `${folder === '/' ? '' : folder}/${entry.name}`
  const marked = !entry.isFolder && entryStore.latest(path)?.marked === true
  return { ...entry, path, marked, upload: newestOf(path, uploads) }
}

const newestOf = (path: string, uploads: readonly FileUpload[]) => uploads.find((one) => one.path === path)

/** The unit reported more of its uploads. */
export function noteUploads(uploads: readonly FileUpload[]): void {
  for (const path of entryStore.ids()) {
    const entry = entryStore.latest(path)
    const upload = newestOf(path, uploads)
    if (entry && entry.upload !== upload) entryStore.put(path, { ...entry, upload })
  }
}

export function mark(path: string, marked: boolean): void {
  const entry = entryStore.latest(path)
  if (!entry) return
  entryStore.put(path, { ...entry, marked })
  // A box that the user ticks shows it at once.
  entryStore.flush()
}

export const markedPaths = (): string[] => entryStore.ids().filter((path) => entryStore.get(path)?.marked)

function unmark(paths: readonly string[]): void {
  for (const path of paths) mark(path, false)
}

async function faultOf(run: Promise<unknown>): Promise<Fault | undefined> {
  try {
    await run
  } catch (error) {
    return describeFault(error)
  }
}

export async function uploadFiles(
  uid: string,
  paths: readonly string[],
  metadata?: Record<string, string>,
): Promise<Fault | undefined> {
  const body = { paths: [...paths], ...(metadata && { metadata }) }
  const fault = await faultOf(call(calls.upload, { params: { id: uid }, body }))
  if (!fault) unmark(paths)
  return fault
}

export const cancelUpload = (uid: string, path: string): Promise<Fault | undefined> =>
  faultOf(call(calls.cancel, { params: { id: uid }, body: { files: [path] } }))

/** The list is read again regardless of the result: some may be gone before one is refused. */
export async function deleteFiles(
  folder: OpenFolder,
  paths: readonly string[],
  uploads: readonly FileUpload[],
): Promise<Fault | undefined> {
  const fault = await faultOf(call(calls.remove, { params: { id: folder.uid }, body: { paths: [...paths] } }))
  await openFolder(folder, uploads)
  return fault
}

/** The storage and the folders that lead to a path, each with its own path. */
export function waysTo(path: string, storage: string): { name: string; path: string }[] {
  const names = path.slice(storage.length).split('/').filter(Boolean)
  const below = names.map((name, at) => ({
    name,
    path: `${storage === '/' ? '' : storage}/${names.slice(0, at + 1).join('/')}`,
  }))
  return [{ name: storage, path: storage }, ...below]
}

/** Received share of the file, 0 to 100; null where the size is not known yet. */
export const percentOf = ({ sizeBytes, sentBytes }: FileUpload): number | null =>
  sizeBytes === null ? null : sizeBytes === 0 ? 100 : Math.floor((sentBytes / sizeBytes) * 100)
