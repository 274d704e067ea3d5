// The simulated card of one unit: small films in folders by day, read as fast as the links carry them.
import { formatOf } from '@backhaul/contract/nouns/files'
import type { FolderEntry } from '@backhaul/contract/nouns/unit-files'
import { Refused } from '@backhaul/device/refused'
import type { OpenFile, UnitFiles } from '@backhaul/device/unit-hardware'
import type { Clock } from '@backhaul/runtime/clock'
import type { Random } from '../random.ts'
import { cardFilm, type Footage, type ReadBytes } from './footage.ts'

export interface SimulatedUnitFilesOptions {
  /** The root folder of the storage. */
  root: string
  clock: Clock
  random: Random
  /** The capacity of the links that is left for uploads. */
  freeKbps: () => number
  /** The contents of films; without it they hold bytes that are derived from their offset. */
  footage?: Footage | undefined
}

interface CardFile {
  sizeBytes: number
  modifiedMs: number
  /** The length of a film, where it is known. */
  seconds?: number
  /** The labels that the unit wrote into the file. */
  labels?: Readonly<Record<string, string>>
}

const dayMs = 86_400_000
const slugs = ['Harbour', 'Stadium', 'Vox pop', 'Council', 'Storm front', 'Arrivals', 'Press room'] as const
const endings = ['mp4', 'mp4', 'mov', 'jpg'] as const
const sizes = { mp4: [4e6, 24e6], mov: [4e6, 24e6], jpg: [2e5, 3e6] } as const
/** The minimum, regardless of the links. */
const leastKbps = 300

export class SimulatedUnitFiles implements UnitFiles {
  readonly #root: string
  readonly #clock: Clock
  readonly #freeKbps: () => number
  readonly #footage: Footage | undefined
  /** By path; a card is filled at its first listing. */
  #files: Map<string, CardFile> | undefined
  readonly #random: Random

  constructor({ root, clock, random, freeKbps, footage }: SimulatedUnitFilesOptions) {
    this.#root = root
    this.#clock = clock
    this.#random = random
    this.#freeKbps = freeKbps
    this.#footage = footage
  }

  #card(): Map<string, CardFile> {
    this.#files ??= this.#fill()
    return this.#files
  }

  #fill(): Map<string, CardFile> {
    const files = new Map<string, CardFile>()
    for (let daysAgo = this.#random.whole(2, 4); daysAgo >= 0; daysAgo--) {
      for (let take = this.#random.whole(2, 6); take > 0; take--) {
        const ending = this.#random.pick(endings)
        const [least, most] = sizes[ending]
        const name = `${this.#random.pick(slugs)} ${take}.${ending}`
        const modifiedMs = Math.round(this.#clock.nowMs() - (daysAgo + this.#random.between(0, 0.4)) * dayMs)
        const day = new Date(modifiedMs).toISOString().slice(0, 10)
        files.set(`${this.#root}/${day}/${name}`, { sizeBytes: this.#random.whole(least, most), modifiedMs })
      }
    }
    return files
  }

  /** A recording that the unit has just ended. */
  add({ path, ...file }: CardFile & { path: string }): void {
    this.#card().set(`${this.#root}/${path}`, file)
  }

  async list(path: string): Promise<readonly FolderEntry[]> {
    const entries = new Map<string, FolderEntry>()
    const start = `${path.replace(/\/+$/, '')}/`
    for (const [place, { sizeBytes, modifiedMs }] of this.#card()) {
      if (!place.startsWith(start)) continue
      const [name = '', ...below] = place.slice(start.length).split('/')
      const known = entries.get(name)
      const isFolder = below.length > 0
      const newest = Math.max(modifiedMs, known?.modifiedMs ?? 0)
      entries.set(name, { name, isFolder, sizeBytes: isFolder ? 0 : sizeBytes, modifiedMs: newest })
    }
    if (entries.size === 0 && path !== this.#root) throw new Refused('folder.missing')
    return [...entries.values()]
  }

  async open(path: string): Promise<OpenFile> {
    const file = this.#card().get(path)
    if (!file) throw new Refused('file.missing')
    const { sizeBytes, modifiedMs } = file
    const read = this.#contentOf(path, file)
    return {
      sizeBytes,
      modifiedMs,
      read: async (from, length) => {
        const kbps = Math.max(leastKbps, this.#freeKbps())
        await new Promise<void>((resolve) => this.#clock.setTimeout(resolve, (length * 8) / kbps))
        return read(from, Math.min(from + length, sizeBytes))
      },
      close() {},
    }
  }

  #contentOf(path: string, { labels, ...file }: CardFile): ReadBytes {
    const text = linesOf(labels)
    const film = this.#footage && formatOf(path) ? cardFilm(this.#footage, { ...file, text }) : undefined
    return film ?? ((from, to) => derivedBytes(from, to - from, text))
  }

  async remove(path: string): Promise<void> {
    if (!this.#card().delete(path)) throw new Refused('file.missing')
  }
}

/** The labels, a line each. */
const linesOf = (labels: CardFile['labels'] = {}): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')

/** The text, and then bytes derived from their offset, so that a receiver can verify the file. */
export function derivedBytes(from: number, length: number, text = ''): Uint8Array<ArrayBuffer> {
  const head = Buffer.from(text)
  const bytes = new Uint8Array(length)
  for (let at = 0; at < length; at++) bytes[at] = head[from + at] ?? (from + at) % 251
  return bytes
}
