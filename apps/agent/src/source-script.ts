// The address of a source may hold a password, and other users of the machine see the arguments of a program.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Source, urlScript } from '@backhaul/ffmpeg/sources'

/**
 * The source of a camera, counted from 1, with its address in a file that this account alone reads; it is kept there for as
 * long as the agent may open it.
 */
export function withScript(source: Source, camera: number | 'ip', dataFolder: string): Source {
  const script = join(dataFolder, `source-${camera}.ffconcat`)
  rmSync(script, { force: true })
  if (source.kind !== 'url') return source
  writeFileSync(script, urlScript(source.url), { mode: 0o600 })
  return { ...source, script }
}
