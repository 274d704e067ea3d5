// Generated pictures for channels of simulated servers: made once, kept, played only while watched.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { findFont } from '@backhaul/ffmpeg/find'
import { runFfmpeg } from '@backhaul/ffmpeg/run'
import type { SupervisedChild } from '@backhaul/runtime/child-process'
import type { Log } from '@backhaul/runtime/log'
import type { UsableFfmpeg } from '../messages.ts'
import { clipName, type Loop, openLoop, stillPattern } from './loop.ts'
import { loopArguments, stillArguments } from './loop-arguments.ts'
import { scenes } from './scenes.ts'

const LOWEST_PRIORITY = 19

export interface Loops {
  /** The ids of the finished loops. */
  ids(): string[]
  find(id: string): Loop | undefined
  stop(): Promise<void>
}

export interface LoopsOptions {
  count: number
  ffmpeg: UsableFfmpeg | undefined
  folder: string
  /** One more is finished. */
  onReady: () => void
  log: Log
}

/** Makes missing loops one by one in the background; a loop whose recipe changed is made again. */
export function createLoops({ count, ffmpeg, folder, onReady, log }: LoopsOptions): Loops {
  const finished = new Map<string, Loop>()
  let running: SupervisedChild | undefined
  let stopping = false

  async function run(path: string, args: readonly string[]): Promise<boolean> {
    const messages: string[] = []
    running = runFfmpeg({ path, args, onMessage: (line) => messages.push(line) })
    const pid = running.pid()
    if (pid !== undefined) setPriority(pid, LOWEST_PRIORITY)
    const { code } = await running.exited
    running = undefined
    if (code !== 0 && !stopping)
      log.warn({ code, messages: messages.slice(0, 5) }, 'loop could not be generated')
    return code === 0
  }

  async function make({ path }: UsableFfmpeg, args: readonly string[], place: string): Promise<boolean> {
    const draft = `${place}.draft`
    rmSync(draft, { recursive: true, force: true })
    mkdirSync(draft, { recursive: true })
    const clip = join(draft, clipName)
    const isMade =
      (await run(path, [...args, `file:${clip}`])) &&
      (await run(path, stillArguments(clip, join(draft, stillPattern))))
    if (isMade) renameSync(draft, place)
    return isMade
  }

  async function makeAll(usable: UsableFfmpeg): Promise<void> {
    const font = usable.hasDrawtext ? findFont() : undefined
    for (let index = 0; index < count && !stopping; index++) {
      const scene = scenes[index % scenes.length]!
      const args = loopArguments(scene, font)
      const recipe = createHash('sha256').update(JSON.stringify(args)).digest('hex').slice(0, 12)
      const place = join(folder, recipe)
      if (!existsSync(place) && !(await make(usable, args, place))) continue
      const id = `loop-${index + 1}`
      finished.set(id, openLoop({ id, folder: place, ffmpeg: usable, log: log.child({ loop: id }) }))
      onReady()
    }
  }

  const making = ffmpeg
    ? Promise.resolve(ffmpeg)
        // In a later turn: `onReady` uses this object, which the caller does not have yet.
        .then(makeAll)
        .catch((error: unknown) => log.error(error, 'loops could not be generated'))
    : Promise.resolve()
  return {
    ids: () => [...finished.keys()],
    find: (id) => finished.get(id),
    async stop() {
      stopping = true
      await running?.stop()
      await making
      await Promise.all([...finished.values()].map((loop) => loop.stop()))
    },
  }
}
