// The hardware side of a unit on a real machine: the encoder, the links, and the reports of the machine.
import { because, type Reason } from '@backhaul/contract/define/refusals'
import type { Link, LinkTelemetry, UnitSample } from '@backhaul/contract/gateway/units'
import { mayCarry, type UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import { Refused } from '@backhaul/device/refused'
import type { UnitFacts, UnitHardware, UnitHardwareChange } from '@backhaul/device/unit-hardware'
import { probeSource } from '@backhaul/ffmpeg/probe-picture'
import type { Source } from '@backhaul/ffmpeg/sources'
import { redactSecrets } from '@backhaul/runtime/redact'
import { type CameraStreamOptions, type CameraStreams, startCameraStreams } from './camera-streams.ts'
import { type CameraSockets, openCameras } from './cameras.ts'
import type { RawSource } from './encoder/raw-source.ts'
import { readBattery } from './hardware/battery.ts'
import { type DataCounters, openDataCounters } from './hardware/data-counters.ts'
import type { Interface } from './hardware/interfaces.ts'
import type { PortAssignments } from './hardware/port-assignments.ts'
import type { PositionSource } from './hardware/position.ts'
import { filesBelow } from './hardware/storages.ts'
import { createCrewSound } from './intercom/crew-sound.ts'
import type { Headset } from './intercom/headset.ts'
import type { CrewTalk } from './intercom/intercom.ts'
import { type LivePicture, pictureTerms, termsOf } from './link-terms.ts'
import { followLinks, type Links, type UnitLink } from './links.ts'
import { followMachine } from './machine-facts.ts'
import type { Modem } from './networks/modem-values.ts'
import { withModems } from './networks/modems.ts'
import type { Networks } from './networks/networks.ts'
import { createRecorder } from './recorder.ts'
import { createVideoReturn, type ReturnScreen, type VideoReturn } from './returns/video-return.ts'
import { firstSettingsOf, limitsUnder, linkShares } from './unit-quality.ts'
import { createUnitTunnels, type UnitTunnels } from './unit-tunnels.ts'

export interface RealUnitOptions extends Omit<CameraStreamOptions, 'encoder' | 'onLost'> {
  encoder: CameraStreamOptions['encoder']
  /** The first one is sent when no other is chosen. */
  cameras: CameraSockets
  /** The source at an address, which other users of the machine must not see. */
  openUrl: (url: string) => Source
  /** The unit's storage: files that are put there can be sent. */
  mediaFolder: string
  scanInterfaces: () => readonly Interface[]
  portAssignments: PortAssignments
  /** The file of the data counts of the links. */
  dataCountsPath: string
  /** Absent where the networks of the machine are not for the unit to change. */
  openNetworks?: ((onChange: () => void) => Networks) | undefined
  position: PositionSource
  capabilities: UnitFacts['capabilities']
  /** The recent log lines of the agent. */
  logs: () => string
  /** Absent where the crew cannot be shown a picture. */
  screen?: ReturnScreen
  /** The headsets of the crew, for the intercom; absent where the unit has none. */
  headsets?: (onChange: () => void) => readonly Headset[]
  /** Absent where the crew hears no IFB. */
  ifbSpeaker?: Headset | undefined
  /** The address at which machines of the crew reach the databridge; absent where the unit has none. */
  databridgeAddress?: string | undefined
  /** The bridge of this machine that machines of the crew are in; absent where the unit has no IP pipe. */
  ipPipeBridge?: string | undefined
  /** Why this machine cannot encode at all. */
  encoderFault: Reason | undefined
  /** Ends the process so that its supervisor starts it again, or reboots the machine. */
  restart: () => void | Promise<void>
}

export interface RealUnit extends UnitHardware {
  /** The picture of a camera, without a second program that opens it; another one after each start and stop. */
  pictureOf(camera: number): RawSource
  readonly talk: CrewTalk
  close(): Promise<void>
}

export function createRealUnit(options: RealUnitOptions): RealUnit {
  const { clock, encoder } = options
  let listener: (change: UnitHardwareChange) => void = () => {}
  let sending: CameraStreams | undefined
  let videoReturn: VideoReturn | undefined
  let isClosing = false
  const factsChanged = () => listener({ kind: 'facts' })
  const sound = createCrewSound({
    headsets: options.headsets?.(factsChanged) ?? [],
    ifbSpeaker: options.ifbSpeaker,
    jacks: () => settings.audioJacks ?? [],
    usable: () => usable(),
    clock,
    log: options.log,
    onChange: (change) => listener(change),
  })
  let settings: UnitSettings = {
    ...firstSettingsOf(options.cameras.length, options.capabilities.tenBitHdr === true),
    ...sound.firstSettings,
  }

  const cameras = openCameras({
    ffmpegPath: encoder.ffmpegPath,
    codec: encoder.codec,
    sockets: options.cameras,
    highestKbps: options.limits.highestKbps,
    settings: () => settings,
    openUrl: options.openUrl,
    async soundOf(source, signal) {
      if (source.kind === 'testPattern' || encoder.ffmpegPath === '') return []
      return (await probeSource(encoder.ffmpegPath, source, signal)).tracks
    },
    isIdle: () => !isRunning() && !isClosing,
    onMessage: (line) => options.log.debug({ ffmpeg: redactSecrets(line) }, 'ffmpeg message'),
    onChange: factsChanged,
  })
  const recorder = createRecorder({
    ffmpegPath: encoder.ffmpegPath,
    pictureOf: cameras.pictureOf,
    mediaFolder: options.mediaFolder,
    clock,
    log: options.log,
    onChange: factsChanged,
  })
  const isRunning = () => sending !== undefined || recorder.isRecording()
  const networks = options.openNetworks?.(factsChanged)
  const modems = () => networks?.modems() ?? []
  const tunnels = createUnitTunnels({
    databridgeAddress: options.databridgeAddress,
    ipPipeBridge: options.ipPipeBridge,
    links: () => links.all(),
    usable: () => usable(),
    own: () => termsOf(settings, links.all()),
    live: () => livePicture(sending),
    returned: () => videoReturn?.links() ?? [],
    clock,
    log: options.log,
    onLost: (change) => listener(change),
    onChange: () => usePictureTerms(),
  })
  const links = followLinks({
    scan: () => withModems(options.scanInterfaces(), modems()),
    assignments: options.portAssignments,
    clock,
    onChange() {
      useLinks()
      factsChanged()
    },
  })
  const dataCounters = countData(options, links, factsChanged)
  const usable = () => links.usable().filter((link) => mayCarry(settings, link))
  const termsOfPicture = () => pictureTerms(termsOf(settings, links.all()), tunnels.isThere())
  function usePictureTerms(): void {
    sending?.useLinks(usable(), termsOfPicture())
    videoReturn?.useLinks()
  }
  function useLinks(): void {
    usePictureTerms()
    tunnels.useLinks()
    sound.useLinks()
  }
  videoReturn =
    options.screen &&
    createVideoReturn({
      screen: options.screen,
      usable,
      terms: termsOfPicture,
      clock,
      log: options.log,
      onChange: factsChanged,
      onLost: (why) => listener({ kind: 'videoReturnLost', why }),
    })
  const machine = followMachine({ mediaFolder: options.mediaFolder, clock, onChange: factsChanged })

  async function endSending(): Promise<void> {
    const ending = sending
    sending = undefined
    await ending?.stop()
    cameras.ended()
  }

  return {
    facts: () => ({
      links: links.all().map((link) => linkFacts(link, dataCounters.of(link.port))),
      ...machine.facts(),
      camera: cameras.facts()[0],
      ...(options.cameras.length > 1 && { cameras: cameras.facts() }),
      capabilities: {
        ...options.capabilities,
        ...(tunnels.hardware.ipPipe && { ipPipe: true }),
        uploadTunnel: true,
        ...networks?.capabilities(),
      },
      ...(recorder.isRecording() && { activities: { store: { state: 'running' } } }),
      settings: { ...settings, links: linkShares(settings, links.all()), ...networks?.settings() },
      ...(videoReturn && { receivedReturn: videoReturn.received() }),
      ...networks?.facts(),
    }),
    sample: () => sample(options, { sending, videoReturn, tunnels }, links.all(), modems()),
    ...(videoReturn && { videoReturn: videoReturn.hardware }),
    ...tunnels.hardware,
    ...(networks && { networks: networks.hardware }),
    ...sound.hardware,
    async startTransmission(wanted, delayMs, signal) {
      if (options.encoderFault && wanted.speedTestMs === undefined) throw new Refused(options.encoderFault)
      if (usable().length === 0) throw new Refused('unit.noLink')
      const started = startCameraStreams(
        {
          ...options,
          limits: limitsUnder(settings, options.limits),
          encoder,
          onLost(why) {
            sending = undefined
            cameras.ended()
            listener({ kind: 'transmissionLost', why })
          },
        },
        cameras.partsOf(wanted),
        delayMs,
        usable(),
        termsOfPicture(),
      )
      sending = started
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(new Refused('transmission.startCancelled')), {
          once: true,
        })
      })
      try {
        await Promise.race([started.begun, aborted])
      } catch (error) {
        await endSending()
        throw error
      }
    },
    async moveTransmission(wanted, delayMs, signal) {
      if (!sending) throw new Refused('transmission.notSending')
      await sending.moveTo(wanted, delayMs, signal)
    },
    limitTransmission: (wanted) => sending?.followChannels(wanted),
    stopTransmission: endSending,
    updateDelay: (delayMs) => sending?.updateDelay(delayMs),
    // The channel is where the transmission's targets lead; selecting one changes nothing on the machine.
    setChannel: () => {},
    setEnabledLinks: (disabled) => links.disable(disabled),
    async applySettings({ ethernet, ...changes }) {
      const { cameraMode, sendMode } = changes
      if ((cameraMode ?? sendMode) !== undefined && sending) throw new Refused('camera.modeWhileLive')
      if (changes.colorDepth !== undefined && isRunning()) throw new Refused('camera.depthWhileRunning')
      if (changes.audioChannels !== undefined && isRunning()) throw new Refused('audio.channelsWhileRunning')
      if (changes.storeAndForwardEncoder === 'H.265/HEVC' && options.capabilities.hevc !== true)
        throw new Refused(because('unit.ffmpegWithout', { feature: 'libx265' }))
      if (sendMode === 'storeAndForward' && options.encoderFault) throw new Refused(options.encoderFault)
      if (ethernet) await networks?.applySettings({ ethernet })
      if (changes.colorDepth) cameras.useFormat({ depth: changes.colorDepth })
      if (changes.audioChannels) cameras.useFormat({ channels: changes.audioChannels })
      if (sendMode === 'storeAndForward') recorder.start({ ...settings, ...changes })
      if (sendMode === 'live') await recorder.stop()
      settings = { ...settings, ...changes }
      sending?.followSettings(limitsUnder(settings, options.limits))
      useLinks()
      sound.followJacks()
      cameras.followSettings()
      factsChanged()
    },
    pictureOf: cameras.pictureOf,
    talk: sound.talk,
    logs: options.logs,
    files: filesBelow(options.mediaFolder),
    async reboot() {
      await options.restart()
      await new Promise<never>(() => {})
    },
    onChange(next) {
      listener = next
    },
    async close() {
      isClosing = true
      machine.stop()
      dataCounters.stop()
      links.stop()
      networks?.stop()
      options.position.close()
      await Promise.all([tunnels.close(), endSending(), recorder.stop(), videoReturn?.close(), sound.close()])
    },
  }
}

function countData(
  { dataCountsPath: path, clock, log }: RealUnitOptions,
  links: Links,
  onChange: () => void,
): DataCounters {
  return openDataCounters({
    path,
    links: () => links.all().filter(({ present }) => present),
    clock,
    log,
    onChange,
  })
}

/** The flows that share the links. */
interface Traffic {
  readonly sending: CameraStreams | undefined
  readonly videoReturn: VideoReturn | undefined
  readonly tunnels: UnitTunnels
}

function sample(
  { clock, position }: RealUnitOptions,
  { sending, videoReturn, tunnels }: Traffic,
  links: readonly UnitLink[],
  modems: readonly Modem[],
): UnitSample {
  const stats = sending?.stats()
  const returned = videoReturn?.links() ?? []
  const fix = position.current()
  return {
    ts: clock.nowMs(),
    links: links.map((link) => {
      const sent = linkTelemetry(
        link,
        stats?.links.find(({ id }) => id === link.id),
      )
      const inTunnels = tunnels.kbpsOf(link.id)
      return {
        ...sent,
        kbps: sent.kbps + inTunnels.up,
        downKbps: (returned.find(({ id }) => id === link.id)?.kbps ?? 0) + inTunnels.down,
        signal: modems.find(({ imei }) => imei === link.imei)?.signal,
      }
    }),
    encoderKbps: sending?.videoKbps() ?? null,
    capacityKbps: stats?.targetKbps ?? null,
    battery: readBattery(),
    location: fix && { ...fix, address: '' },
  }
}

const livePicture = (sending: CameraStreams | undefined): LivePicture | undefined =>
  sending && { isAtBest: sending.isAtBest(), links: sending.stats().links }

function linkFacts({ present: _present, imei: _imei, address, ...link }: UnitLink, data: Link['data']): Link {
  return { ...link, ...(address && { address }), ...(data && { data }) }
}

type LinkStats = ReturnType<CameraStreams['stats']>['links'][number]

/** While nothing is sent a link that is there counts as up, and nothing is known of its round trip. */
function linkTelemetry({ port, present, enabled }: UnitLink, stats: LinkStats | undefined): LinkTelemetry {
  const unknown = { downKbps: 0, kbps: 0, rttMs: null, lossPercent: 0, rtxPercent: 0, capacityKbps: null }
  if (!stats) return { port, up: present && enabled, ...unknown }
  return {
    port,
    up: stats.up,
    kbps: stats.kbps,
    downKbps: 0,
    rttMs: stats.rttMs,
    lossPercent: stats.lossPercent,
    rtxPercent: stats.retransmittedPercent,
    capacityKbps: stats.capacityKbps,
  }
}
