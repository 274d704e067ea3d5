// The present pictures of the inputs of the video return: channels of this hub, a file, the test picture.
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { type VrInput, VrInputId } from '@backhaul/contract/nouns/video-return'
import { probeSource } from '@backhaul/ffmpeg/probe-picture'
import { defaultPicture, type Picture, type Source, withTracks } from '@backhaul/ffmpeg/sources'
import type { TsBus } from '@backhaul/ffmpeg/ts-bus'
import type { ReturnSource } from '../messages.ts'

/** A stream that paused for this long counts as gone. */
const GONE_AFTER_MS = 3000
const PROBE_MS = 5000
const LONGEST_NAME = 64

interface StreamOfChannel {
  readonly bus: TsBus
}

/** The input of an encoder. `layout` changes when it has to be started again. */
export type ReturnFeed = { readonly layout: string } & (
  | (StreamOfChannel & { readonly audioTracks: number })
  | { readonly source: Source; readonly picture: Picture }
)

export interface ReturnInputs {
  /** The inputs in the order of the settings. */
  states(): VrInput[]
  /** Undefined while the input has no signal. */
  feed(id: VrInputId): ReturnFeed | undefined
  stop(): void
}

export interface ReturnInputsOptions {
  sources: readonly ReturnSource[]
  ffmpegPath: string
  /** A channel of this hub. */
  channelOf: (slot: string) => (StreamOfChannel & { audioTracks(): number }) | undefined
}

export function createReturnInputs({ sources, ffmpegPath, channelOf }: ReturnInputsOptions): ReturnInputs {
  const inputs = sources.map((source, at) => ({
    id: VrInputId.options[at]!,
    name: nameOf(source),
    ...(source.kind === 'slot'
      ? channelInput(() => channelOf(source.slot))
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
  /** The format of the picture, such as 1080p50. */
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

function channelInput(find: () => ReturnType<ReturnInputsOptions['channelOf']>): Input {
  return {
    feed() {
      const channel = find()
      const bus = channel?.bus
      const isComing = bus?.hasKeyFrame() && performance.now() - bus.lastDataMs() < GONE_AFTER_MS
      const picture = bus?.picture()
      if (!bus || !isComing || !picture) return undefined
      const layout = `${bus.layout()} ${picture.width}x${picture.height}`
      return { bus, audioTracks: channel.audioTracks(), layout }
    },
    standard() {
      const picture = find()?.bus.picture()
      return picture ? standardOf(picture.height, picture.fps) : ''
    },
    stop() {},
  }
}

/** The file may come, change and go while the hub runs. */
function fileInput(ffmpegPath: string, path: string): Input {
  const source = { kind: 'file', path } as const
  let seen: { version: string; source: Source; picture: Picture | undefined } | undefined
  let isLooking = false

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    const found = await stat(path).catch(() => undefined)
    const version = found?.isFile() ? `${found.size} ${found.mtimeMs}` : undefined
    if (version === undefined) seen = undefined
    else if (version !== seen?.version) {
      const { picture, tracks } = await probeSource(ffmpegPath, source)
      seen = { version, source: withTracks(source, tracks), picture }
    }
    isLooking = false
  }

  void look()
  const timer = setInterval(() => void look(), PROBE_MS)
  return {
    feed: () =>
      seen?.picture && { source: seen.source, picture: seen.picture, layout: `file ${seen.version}` },
    standard: () => (seen?.picture ? standardOf(seen.picture.height, seen.picture.framesPerSecond) : ''),
    stop: () => clearInterval(timer),
  }
}
