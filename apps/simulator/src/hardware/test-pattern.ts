// The test pattern for simulated files, made once by ffmpeg and kept in the data folder.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import type { Log } from '@backhaul/runtime/log'
import { type Footage, footageOf, patternArguments } from './footage.ts'

const run = promisify(execFile)
const bytesAtMost = 64 * 1024 * 1024
const limitMs = 30_000
const recipe = createHash('sha256').update(patternArguments.join(' ')).digest('hex').slice(0, 12)

/** Undefined on a machine whose ffmpeg cannot make it: the files then have no content. */
export async function openTestPattern(dataFolder: string, log: Log): Promise<Footage | undefined> {
  const path = join(dataFolder, `test-pattern-${recipe}.mp4`)
  try {
    const kept = await readFile(path).catch(() => undefined)
    if (kept) return footageOf(kept)
    const ffmpegPath = findFfmpeg()
    if (ffmpegPath === undefined) {
      log.info({ path }, 'test pattern of simulated files not made: ffmpeg not found')
      return undefined
    }
    const options = { encoding: 'buffer', maxBuffer: bytesAtMost, timeout: limitMs } as const
    const { stdout } = await run(ffmpegPath, patternArguments, options)
    const footage = footageOf(stdout)
    await writeFile(`${path}.draft`, stdout)
    await rename(`${path}.draft`, path)
    return footage
  } catch (error) {
    log.warn({ err: error, path }, 'test pattern of simulated files not made')
    return undefined
  }
}
