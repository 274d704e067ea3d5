// The cameras of a real unit: what each socket gives, and which picture of a transmission comes from which.
import { existsSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import type { WantedTransmission } from '@backhaul/contract/gateway/units'
import {
  audioChannelCounts,
  type colorDepths,
  ipInputAddress,
  limitedKbps,
  type UnitSettings,
} from '@backhaul/contract/nouns/unit-settings'
import type { Camera, CameraFaults } from '@backhaul/contract/nouns/units'
import type { ClockStyle } from '@backhaul/ffmpeg/encode-arguments'
import { fittingChannels } from '@backhaul/ffmpeg/sound-arguments'
import { isUnseen, type Picture, type SoundTracks, type Source, withTracks } from '@backhaul/ffmpeg/sources'
import type { VideoCodec } from '@backhaul/ffmpeg/video-coders'
import type { CameraDemand, CameraPart } from './camera-streams.ts'
import { type CameraSwitch, createCameraSwitch } from './encoder/camera-switch.ts'
import { createMosaic } from './encoder/mosaic.ts'
import {
  type ChangeableSource,
  createRawSource,
  type RawSource,
  type RawSourceOptions,
} from './encoder/raw-source.ts'
import { qualityOf } from './unit-quality.ts'

const mosaicKbps = 800
const kindWords = { testPattern: 'testPattern', file: 'file', camera: 'v4l2', url: 'url' } as const

/** The way in which all cameras are opened. */
interface Format {
  depth: (typeof colorDepths)[number]
  channels: (typeof audioChannelCounts)[number]
}

/** A socket for a camera, or what takes its place, and the picture that it gives. */
export interface CameraSocket {
  source: Source
  picture: Picture
  /** Draws the wall clock into the picture. */
  clockStyle: ClockStyle | undefined
}

export type CameraSockets = readonly [CameraSocket, ...CameraSocket[]]

export interface CamerasOptions {
  ffmpegPath: string
  sockets: CameraSockets
  codec: VideoCodec
  /** The highest video rate of one camera. */
  highestKbps: number
  settings: () => UnitSettings
  /** The source at an address, which other users of the machine must not see. */
  openUrl: (url: string) => Source
  /** Opens the source once, to see what sound it has; an aborted signal closes it. */
  soundOf: (source: Source, signal: AbortSignal) => Promise<SoundTracks>
  /** Nothing is sent or recorded, and the unit is not shutting down: a source cannot be opened twice. */
  isIdle: () => boolean
  onMessage: (line: string) => void
  /** A camera started or stopped delivering pictures. */
  onChange: () => void
}

export interface Cameras {
  /** The camera of each socket. */
  facts(): [Camera, ...Camera[]]
  /** Each picture of the transmission, the first one first. */
  partsOf(wanted: WantedTransmission): CameraPart[]
  /** Opens the cameras with as many bits and channels from now on; only while nothing is sent or recorded. */
  useFormat(changes: Partial<Format>): void
  /** The switcher shows the camera that the settings name, and the first socket gives the IP input where there is one. */
  followSettings(): void
  /** The picture of a camera as it is open while it is sent: a device cannot be opened twice. It changes with a start. */
  pictureOf(camera: number): RawSource
  /** Nothing is sent any more: what is plugged in counts as there. */
  ended(): void
}

/** The pictures of all sockets. */
interface Sources {
  readonly own: readonly [ChangeableSource, ...ChangeableSource[]]
  /** One after another in one picture, or together in one: all in the size and rate of the first. */
  readonly alike: readonly [RawSource, ...RawSource[]]
  readonly cameraSwitch: CameraSwitch
  readonly mosaic: RawSource
}

function createSources(
  options: CamerasOptions & Pick<RawSourceOptions, 'onTracks'>,
  { depth, channels }: Format,
): Sources {
  const { sockets } = options
  const picturesOf = ({ picture }: CameraSocket): Picture =>
    depth === '10-bit/HDR' ? { ...picture, bits: 10 } : picture
  const firstPicture = picturesOf(sockets[0])
  const open = (socket: CameraSocket, picture: Picture) =>
    createRawSource({ ...options, ...socket, picture, channels })
  const own = mapAll(sockets, (socket) => open(socket, picturesOf(socket)))
  const alike = mapAll(
    sockets,
    (socket, at): RawSource =>
      isDeepStrictEqual(picturesOf(socket), firstPicture) ? (own[at] ?? own[0]) : open(socket, firstPicture),
  )
  return { own, alike, cameraSwitch: createCameraSwitch(alike), mosaic: createMosaic(alike) }
}

export function openCameras(options: CamerasOptions): Cameras {
  const { sockets, settings } = options
  const [first] = sockets
  let format: Format = { depth: '8-bit', channels: 2 }
  const seeing = { ...options, onTracks: seen }
  let sources = createSources(seeing, format)
  /** Whether the pictures that are sent now are made of `alike`. */
  let sendsAlike = false
  /** By camera, while it is sent. */
  const isGiving = new Map<number, boolean>()
  /** By the camera that is shown, which a switcher changes. */
  const faults = new Map<() => number, CameraFaults>()

  const demand = (camera: number): CameraDemand => {
    const { cameraPriorities, cameraLimitKbps } = settings()
    return {
      priority: cameraPriorities?.[camera - 1] ?? 1,
      wantedKbps: Math.min(options.highestKbps, limitedKbps(cameraLimitKbps)),
    }
  }
  /** A source for the first socket in place of its own; undefined for its own. */
  const networkAddress = (): string | undefined => {
    const { ipInput } = settings()
    return ipInput?.enabled ? ipInputAddress(ipInput) : undefined
  }
  let address: string | undefined
  let current = first.source
  const shown = () => settings().cameraInput ?? 1

  let learning = new AbortController()
  /** The sound of an address is unknown before it was opened once, for which it has to be free here. */
  async function learnSound(): Promise<void> {
    learning.abort()
    const asked = current
    if (!isUnseen(asked) || !options.isIdle()) return
    learning = new AbortController()
    const tracks = await options.soundOf(asked, learning.signal)
    if (options.isIdle()) seen(asked, tracks)
  }

  /** By a look at it, or when it was opened on air. For more than the first track it is opened again. */
  function seen(asked: Source, tracks: SoundTracks): void {
    if (current !== asked || tracks.length === 0 || !isUnseen(asked)) return
    current = withTracks(asked, tracks)
    if (format.channels > 2 || options.isIdle()) sources.own[0].change(current)
    options.onChange()
  }

  /** A camera that is sent counts as missing until its first picture. */
  function part(wanted: WantedTransmission, source: RawSource, camera: () => number): CameraPart {
    isGiving.set(camera(), false)
    return {
      wanted,
      source,
      demand: () => demand(camera()),
      quality: () => qualityOf(settings(), camera()),
      onPicture(isThere) {
        isGiving.set(camera(), isThere)
        options.onChange()
      },
      onFaults(now) {
        faults.set(camera, now)
        options.onChange()
      },
    }
  }

  return {
    facts() {
      return mapAll(sockets, ({ source: plugged, picture: { width, height, framesPerSecond } }, at) => {
        const source = at === 0 ? current : plugged
        const [, ofCamera] = [...faults].find(([camera]) => camera() === at + 1) ?? []
        return {
          connected: isThere(source) && isGiving.get(at + 1) !== false,
          kind: kindWords[source.kind],
          width,
          height,
          fps: framesPerSecond,
          codec: options.codec === 'h264' ? 'H.264/AVC' : 'H.265/HEVC',
          audioChannels: fittingChannels(source, audioChannelCounts),
          ...ofCamera,
        }
      })
    },
    partsOf({ feeds = [], ...wanted }) {
      learning.abort()
      const { own, cameraSwitch, mosaic } = sources
      const isSwitched = wanted.activity === 'switcher' || wanted.activity === 'switcherAndProxy'
      sendsAlike = isSwitched
      if (isSwitched) cameraSwitch.show(shown())
      const main = isSwitched ? part(wanted, cameraSwitch, shown) : part(wanted, own[0], () => 1)
      return [
        main,
        ...feeds.map(({ camera, limitKbps, ...target }) => {
          const feed = { ...wanted, ...target, limitKbps }
          if (camera !== null) return part(feed, own[camera - 1] ?? own[0], () => camera)
          return {
            wanted: feed,
            source: mosaic,
            demand: () => ({ priority: 1, wantedKbps: mosaicKbps }),
            quality: () => ({ ...qualityOf(settings()), label: '' }),
            onPicture() {},
            onFaults() {},
          }
        }),
      ]
    },
    useFormat(changes) {
      const next = { ...format, ...changes }
      if (isDeepStrictEqual(next, format)) return
      format = next
      sources = createSources(seeing, format)
      sources.own[0].change(current)
    },
    followSettings() {
      sources.cameraSwitch.show(shown())
      const next = networkAddress()
      if (next === address) return
      address = next
      current = next === undefined ? first.source : options.openUrl(next)
      sources.own[0].change(current)
      void learnSound()
    },
    pictureOf: (camera) => (sendsAlike ? sources.alike : sources.own)[camera - 1] ?? sources.own[0],
    ended() {
      sendsAlike = false
      isGiving.clear()
      faults.clear()
      options.onChange()
      void learnSound()
    },
  }
}

function isThere(source: Source): boolean {
  if (source.kind === 'file') return existsSync(source.path)
  return source.kind === 'camera' ? existsSync(source.device) : true
}

const mapAll = <From, To>(
  list: readonly [From, ...From[]],
  read: (item: From, at: number) => To,
): [To, ...To[]] => {
  const [first, ...rest] = list
  return [read(first, 0), ...rest.map((item, at) => read(item, at + 1))]
}
