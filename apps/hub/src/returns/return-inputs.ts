// What the inputs of the video return show now: channels of this hub, a file, the test picture.
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { type VrInput, VrInputId } from '@backhaul/contract/nouns/video-return'
import { probePicture } from '@backhaul/ffmpeg/probe-picture'
import { defaultPicture, type Picture, type Source } from '@backhaul/ffmpeg/sources'
import type { TsBus } from '@backhaul/ffmpeg/ts-bus'
import type { ReturnSource } from '../messages.ts'

/** A stream that paused for this long counts as gone. */
const GONE_AFTER_MS = 3000
const PROBE_MS = 5000
const LONGEST_NAME = 64

/** What an encoder reads. `layout` changes when it has to be started again. */
export type ReturnFeed = { readonly layout: string } & (
  | { readonly bus: TsBus }
  | { readonly source: Source; readonly picture: Picture }
)

export interface ReturnInputs {
  /** In the order of the settings. */
  states(): VrInput[]
  /** Undefined while the input has no signal. */
  feed(id: VrInputId): ReturnFeed | undefined
  stop(): void
}

export interface ReturnInputsOptions {
  sources: readonly ReturnSource[]
  ffmpegPath: string
  /** The stream of a channel of this hub. */
  busOf: (slot: string) => TsBus | undefined
}

export function createReturnInputs({ sources, ffmpegPath, busOf }: ReturnInputsOptions): ReturnInputs {
  const inputs = sources.map((source, at) => ({
    id: VrInputId.options[at]!,
    name: nameOf(source),
    ...(source.kind === 'slot'
      ? channelInput(() => busOf(source.slot))
      : source.kind === 'file'
        ? fileInput(ffmpegPath, source.path)
        : testInput),
  }))
  return {
    states: () =>
      inputs.map(({ id, name, feed, standard }) => {
        const connected = feed() !== undefined
        return { id, name, connected, standard: connected ? standard() : '' }
      }),
    feed: (wanted) => inputs.find(({ id }) => id === wanted)?.feed(),
    stop() {
      for (const { stop } of inputs) stop()
    },
  }
}

interface Input {
  feed(): ReturnFeed | undefined
  /** For instance 1080p50. */
  standard(): string
  stop(): void
}

/** As it is set, without the folder of a file. */
const nameOf = (source: ReturnSource): string =>
  source.kind === 'slot'
    ? source.slot
    : source.kind === 'file'
      ? basename(source.path).slice(0, LONGEST_NAME)
      : 'test'

const standardOf = (height: number, framesPerSecond: number): string =>
  `${height}p${Math.round(framesPerSecond)}`

const testInput: Input = {
  feed: () => ({ source: { kind: 'testPattern' }, picture: defaultPicture, layout: 'test' }),
  standard: () => standardOf(defaultPicture.height, defaultPicture.framesPerSecond),
  stop() {},
}

function channelInput(find: () => TsBus | undefined): Input {
  return {
    feed() {
      const bus = find()
      const isComing = bus?.hasKeyFrame() && performance.now() - bus.lastDataMs() < GONE_AFTER_MS
      const picture = bus?.picture()
      if (!bus || !isComing || !picture) return undefined
      return { bus, layout: `${bus.layout()} ${picture.width}x${picture.height}` }
    },
    standard() {
      const picture = find()?.picture()
      return picture ? standardOf(picture.height, picture.fps) : ''
    },
    stop() {},
  }
}

/** The file may come, change and go while the hub runs. */
function fileInput(ffmpegPath: string, path: string): Input {
  const source = { kind: 'file', path } as const
  let seen: { version: string; picture: Picture | undefined } | undefined
  let isLooking = false

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    const found = await stat(path).catch(() => undefined)
    const version = found?.isFile() ? `${found.size} ${found.mtimeMs}` : undefined
    if (version === undefined) seen = undefined
    else if (version !== seen?.version) seen = { version, picture: await probePicture(ffmpegPath, source) }
    isLooking = false
  }

  void look()
  const timer = setInterval(() => void look(), PROBE_MS)
  return {
    feed: () => seen?.picture && { source, picture: seen.picture, layout: `file ${seen.version}` },
    standard: () => (seen?.picture ? standardOf(seen.picture.height, seen.picture.framesPerSecond) : ''),
    stop: () => clearInterval(timer),
  }
}
