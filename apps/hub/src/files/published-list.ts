// The list of published files, and the settings of publishing: kept over a restart, so that no file is published twice.
import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultServerSettings, type ServerSettings } from '@backhaul/contract/nouns/servers'

export type PublishingSettings = Pick<ServerSettings, 'publishingMode' | 'hotfolderOutputFormat'>

export interface Published {
  readonly settings: PublishingSettings
  /** The time from which all files are published; null while only chosen ones are. */
  readonly alwaysSinceMs: number | null
  /** Names in the hot folder by file. */
  readonly names: Readonly<Record<string, string>>
}

export interface PublishedList {
  now(): Published
  /** Takes effect at once; resolves when it is on the disk. */
  change(changes: Partial<Published>): Promise<void>
}

/** It begins again where the list is missing or broken. */
export function openPublishedList(dataFolder: string): PublishedList {
  const path = join(dataFolder, 'published.json')
  const { publishingMode, hotfolderOutputFormat } = defaultServerSettings
  let now: Published = { settings: { publishingMode, hotfolderOutputFormat }, alwaysSinceMs: null, names: {} }
  let writing: Promise<void> = Promise.resolve()
  try {
    now = JSON.parse(readFileSync(path, 'utf8')) as Published
  } catch {
    // The first start.
  }

  async function write(): Promise<void> {
    await writeFile(`${path}.new`, JSON.stringify(now))
    await rename(`${path}.new`, path)
  }

  return {
    now: () => now,
    change(changes) {
      now = { ...now, ...changes }
      const written = writing.then(write)
      writing = written.catch(() => {})
      return written
    },
  }
}
