// The agent: the software of a real field unit, which encodes a source and sends it over every network link it has.
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { because, type Reason } from '@backhaul/contract/define/refusals'
import type { UnitSample } from '@backhaul/contract/gateway/units'
import { openOwnSoftware } from '@backhaul/device/own-software'
import { createRestartNote } from '@backhaul/device/restart-note'
import { createTokenFile } from '@backhaul/device/token-store'
import { createUnitDevice, type UnitDevice } from '@backhaul/device/unit-device'
import { chooseCoder, hardwareCoders } from '@backhaul/ffmpeg/coders'
import { type FfmpegCapabilities, findFfmpeg, findFont, probeFfmpeg } from '@backhaul/ffmpeg/find'
import { probeSource } from '@backhaul/ffmpeg/probe-picture'
import { defaultPicture, type Picture, type Source, withTracks } from '@backhaul/ffmpeg/sources'
import { createTsBus } from '@backhaul/ffmpeg/ts-bus'
import { type Coder, coderName, type VideoCodec } from '@backhaul/ffmpeg/video-coders'
import { systemClock } from '@backhaul/runtime/clock'
import { openDataFolder } from '@backhaul/runtime/data-folder'
import { tapFault } from '@backhaul/runtime/ethernet-tap'
import { createLog, type Log } from '@backhaul/runtime/log'
import { createLogTail } from '@backhaul/runtime/log-tail'
import { failStart } from '@backhaul/runtime/settings'
import { onStop } from '@backhaul/runtime/stop'
import type { CameraSocket, CameraSockets } from './cameras.ts'
import type { RateLimits } from './encoder/rate-follower.ts'
import { usableInterfaces } from './hardware/interfaces.ts'
import { rebootMachine, shutDownMachine } from './hardware/machine.ts'
import { openPortAssignments, type PortAssignments } from './hardware/port-assignments.ts'
import { followPosition } from './hardware/position.ts'
import { createHeadset, type Headset } from './intercom/headset.ts'
import { microphoneProgram, type SoundSetting, speakerProgram } from './intercom/sound-device.ts'
import { openNetworks } from './networks/networks.ts'
import { openPage } from './page/open-page.ts'
import type { UnitPage } from './page/unit-page.ts'
import { createRealUnit, type RealUnit } from './real-unit.ts'
import { createDisplay, displayProgram } from './returns/display.ts'
import { openReturnDoor } from './returns/return-door.ts'
import { keptSerialNumber } from './serial-number.ts'
import { type AgentSettings, readAgentSettings } from './settings.ts'
import { withScript } from './source-script.ts'
import { createTallyLamp, type TallyLamp } from './tally/tally-lamp.ts'
import { firstSettings } from './unit-quality.ts'

/** A version in the numbering of the units whose delays it offers (400 ms and more from 7.0 on). */
const setUpVersion = '8.0.0'
const lowestVideoKbps = 250

/** The capabilities of ffmpeg that a unit uses. */
type UsedFfmpeg = Pick<FfmpegCapabilities, 'path' | 'version' | 'encoders' | 'filters'> & {
  tenBits?: boolean
}

try {
  await run(readAgentSettings(process.argv.slice(2), process.env))
} catch (error) {
  failStart(error)
}

async function run(settings: AgentSettings): Promise<void> {
  const tail = createLogTail()
  const log = createLog({ name: 'agent', format: settings.BACKHAUL_LOG, tail })
  const dataFolder = resolve(settings.BACKHAUL_DATA)
  openDataFolder(dataFolder, 'agent')
  const serialNumber = keptSerialNumber(dataFolder)
  const tokens = createTokenFile(join(dataFolder, 'token.json'))
  const { BACKHAUL_CORE_URL: coreUrl, BACKHAUL_SHUTDOWN: shutdown } = settings
  const software = openOwnSoftware({
    program: 'agent',
    setUpVersion,
    dataFolder,
    coreUrl,
    tokens,
    key: settings.BACKHAUL_UPGRADE_KEY,
    isSupervised: settings.BACKHAUL_SUPERVISED === '1',
    trialMs: settings.BACKHAUL_UPGRADE_WITHIN_S * 1000,
    log,
  })
  const ffmpeg = await findEncoder(settings, log)
  const { BACKHAUL_LINKS: links, BACKHAUL_CODEC: codec } = settings
  const cameras = await socketsOf(settings, ffmpeg, dataFolder, log)
  const coder = await chosenCoder(settings, ffmpeg, cameras[0].picture, log)
  const mediaFolder = mediaFolderIn(dataFolder)
  const [screen, crew] = [await openScreen(settings, log), await partsForCrew(settings, log)]
  const portAssignments = openPortAssignments(join(dataFolder, 'links.json'), log)
  const tally = tallyLampOf(settings, log)
  let newest: UnitSample | undefined
  const page: UnitPage | undefined = await openPage(settings, log, {
    ffmpegPath: ffmpeg?.path,
    cameras: cameras.length,
    pictureOf: (camera) => hardware.pictureOf(camera),
    facts: () => ({ isConnected: device.isConnected(), actual: device.actual(), sample: newest }),
    talk: () => hardware.talk,
  })
  const lights = [tally?.show, page?.showTally].flatMap((show) => show ?? [])
  const hardware: RealUnit = createRealUnit({
    screen,
    ...crew,
    mediaFolder,
    clock: systemClock,
    log,
    scanInterfaces: links ? () => links : () => usableInterfaces(),
    portAssignments,
    dataCountsPath: join(dataFolder, 'link-data.json'),
    openNetworks: networksOf(settings, { assignments: portAssignments, dataFolder, log }),
    position: followPosition(settings.BACKHAUL_POSITION),
    capabilities: {
      ...capabilitiesOf(ffmpeg, cameras, codec),
      ...crewCapabilities(settings),
      upgrade: software.upgrade !== undefined,
      shutdown: shutdown !== undefined,
      ...(lights.length > 0 && { tally: true }),
    },
    logs: tail.text,
    encoderFault: encoderFaultOf(ffmpeg, coderName(codec, coder)),
    limits: rateLimitsOf(settings),
    encoder: { ffmpegPath: ffmpeg?.path ?? '', codec, coder },
    cameras,
    openUrl: (url) => withScript({ kind: 'url', url }, 'ip', dataFolder),
    restart: () => (settings.BACKHAUL_REBOOT === 'machine' ? rebootMachine() : stopping.restart()),
  })
  const device: UnitDevice = createUnitDevice({
    coreUrl,
    identity: {
      product: settings.BACKHAUL_PRODUCT,
      serialNumber,
      name: settings.BACKHAUL_UNIT_NAME,
      swVersion: software.version,
    },
    registrationKey: settings.BACKHAUL_REGISTRATION_KEY ?? settings.BACKHAUL_LOCAL_KEY,
    tokens,
    software,
    restartNote: createRestartNote(join(dataFolder, 'restarted-by')),
    hardware: {
      ...hardware,
      ...(software.upgrade && { upgrade: software.upgrade }),
      sample() {
        newest = hardware.sample()
        return newest
      },
      showTally(onAir) {
        for (const show of lights) show(onAir)
      },
      ...(shutdown && { shutDown: () => shutDownMachine(shutdown) }),
      async startInstalled() {
        stopping.restart()
        await new Promise<never>(() => {})
      },
    },
    log,
  })
  const stopping = onStop(log, async () => {
    await device.stop()
    await page?.close()
    await hardware.close()
    await screen.close()
    await tally?.settled()
  })
  log.info({ serialNumber, core: coreUrl, ffmpeg: ffmpeg?.version }, 'unit started')
  process.stdout.write('{"ready":true}\n')
}

function mediaFolderIn(dataFolder: string): string {
  const folder = join(dataFolder, 'media')
  mkdirSync(folder, { recursive: true })
  return folder
}

function rateLimitsOf({ BACKHAUL_BITRATE_KBPS: highestKbps }: AgentSettings): RateLimits {
  return { lowestKbps: lowestVideoKbps, highestKbps, audioKbps: firstSettings.audioBitrate }
}

function tallyLampOf(settings: AgentSettings, log: Log): TallyLamp | undefined {
  const { BACKHAUL_TALLY_COMMAND: command, BACKHAUL_TALLY_LED: led } = settings
  return createTallyLamp({ command, led, log })
}

/** The network of the crew for IP pipes, where this machine can join one to it. */
async function usableBridge(
  { BACKHAUL_IP_PIPE_BRIDGE: bridge }: AgentSettings,
  log: Log,
): Promise<string | undefined> {
  const fault = bridge === undefined ? undefined : await tapFault(bridge)
  if (fault === undefined) return bridge
  log.warn({ bridge, fault }, 'without an interface in the bridge the unit has no IP pipe')
  return undefined
}

/** Why this machine cannot encode at all. */
function encoderFaultOf(ffmpeg: UsedFfmpeg | undefined, encoder: string): Reason | undefined {
  if (!ffmpeg) return 'unit.noFfmpeg'
  return ffmpeg.encoders.includes(encoder) ? undefined : because('unit.ffmpegWithout', { feature: encoder })
}

/** Links that are chosen by their addresses belong to networks that the machine's owner has set up. */
function networksOf(
  settings: AgentSettings,
  { assignments, dataFolder, log }: { assignments: PortAssignments; dataFolder: string; log: Log },
) {
  if (settings.BACKHAUL_LINKS) return undefined
  const { BACKHAUL_CORE_URL: coreUrl, BACKHAUL_ADDRESSES_WITHIN_S: trialS } = settings
  return (onChange: () => void) =>
    openNetworks({
      coreUrl,
      trialS,
      assignments,
      choicesPath: join(dataFolder, 'networks.json'),
      clock: systemClock,
      log,
      onChange,
    })
}

function capabilitiesOf(
  ffmpeg: UsedFfmpeg | undefined,
  cameras: CameraSockets,
  codec: VideoCodec,
): Record<string, boolean> {
  return {
    tenBitHdr: codec === 'h265' && ffmpeg?.tenBits === true,
    hevc: ffmpeg?.encoders.includes('libx265') ?? false,
    logs: true,
    fileUpload: true,
    speedTest: true,
    videoReturn: true,
    storeAndForward: ffmpeg !== undefined,
    ntp: true,
    ...(cameras.length > 1 && { multiCamera: true, switcher: true, switcherAndProxy: true }),
  }
}

interface HeadsetSounds {
  readonly jack: number
  readonly microphone: SoundSetting | undefined
  readonly speaker: SoundSetting | undefined
}

/** A headset is there with a microphone, a speaker, or both. */
function soundsOf(settings: AgentSettings): HeadsetSounds[] {
  const all = [
    { jack: 1, microphone: settings.BACKHAUL_MICROPHONE_1, speaker: settings.BACKHAUL_SPEAKER_1 },
    { jack: 2, microphone: settings.BACKHAUL_MICROPHONE_2, speaker: settings.BACKHAUL_SPEAKER_2 },
  ]
  return all.filter(({ microphone, speaker }) => microphone !== undefined || speaker !== undefined)
}

function crewCapabilities(settings: AgentSettings): Record<string, boolean> {
  const { length } = soundsOf(settings)
  return {
    ...(length > 0 && { intercom: true }),
    ...(length > 1 && { intercom2: true }),
    ...(settings.BACKHAUL_IFB_SPEAKER && { ifb: true }),
    ...(settings.BACKHAUL_DATABRIDGE_ADDRESS !== undefined && { databridge: true }),
  }
}

/** The sound of the crew, and where its machines reach the unit. */
async function partsForCrew(settings: AgentSettings, log: Log) {
  const { BACKHAUL_IFB_SPEAKER: speaker } = settings
  return {
    headsets: (onChange: () => void) => soundsOf(settings).map((sound) => openHeadset(sound, log, onChange)),
    databridgeAddress: settings.BACKHAUL_DATABRIDGE_ADDRESS,
    ipPipeBridge: await usableBridge(settings, log),
    ifbSpeaker: speaker && openHeadset({ jack: 0, microphone: undefined, speaker }, log, () => {}),
  }
}

function openHeadset({ jack, microphone, speaker }: HeadsetSounds, log: Log, onChange: () => void): Headset {
  return createHeadset({
    jack,
    microphone: microphone && microphoneProgram(microphone),
    speaker: speaker && speakerProgram(speaker),
    clock: systemClock,
    log,
    onChange,
  })
}

/** Each source as it is seen, in the size and rate that are set, or else its own. */
async function socketsOf(
  settings: AgentSettings,
  ffmpeg: UsedFfmpeg | undefined,
  dataFolder: string,
  log: Log,
): Promise<CameraSockets> {
  const { BACKHAUL_SOURCE: first, BACKHAUL_PICTURE: wanted } = settings
  const font = findFont()
  const showsText = font !== undefined && ffmpeg?.filters.includes('drawtext')
  async function socketOf(source: Source, camera: number): Promise<CameraSocket> {
    const isTestPattern = source.kind === 'testPattern'
    const scripted = withScript(source, camera, dataFolder)
    const given =
      scripted.kind === 'testPattern' || !ffmpeg ? undefined : await probeSource(ffmpeg.path, scripted)
    const own = given?.picture
    const picture =
      wanted === 'source'
        ? (own ?? defaultPicture)
        : own?.colours
          ? { ...wanted, colours: own.colours }
          : wanted
    const { kind } = source
    if (given?.fault !== undefined)
      log.warn({ camera, kind, fault: given.fault }, 'the source of the camera gives no picture now')
    else if (given || isTestPattern)
      log.info({ camera, kind, picture, sound: given?.tracks }, 'source of the camera found')
    return {
      source: given ? withTracks(scripted, given.tracks) : scripted,
      picture,
      clockStyle: isTestPattern ? { ...(showsText && { fontPath: font }) } : undefined,
    }
  }
  const further = [settings.BACKHAUL_SOURCE_2, settings.BACKHAUL_SOURCE_3, settings.BACKHAUL_SOURCE_4]
  const sources = further.flatMap((source) => source ?? [])
  const [one, ...rest] = await Promise.all([
    socketOf(first, 1),
    ...sources.map((source, at) => socketOf(source, at + 2)),
  ])
  return [one!, ...rest]
}

/** The returned picture is on this machine in any case, and on a display where one is set. */
async function openScreen(settings: AgentSettings, log: Log) {
  const bus = createTsBus({ onReaderFailed: (error) => log.error(error, 'a viewer of the return failed') })
  const { address, close } = await openReturnDoor(bus, settings.BACKHAUL_RETURN_PORT, log)
  const program = displayProgram(settings.BACKHAUL_RETURN_DISPLAY, {
    ffplayPath: findFfmpeg({ PATH: process.env.PATH, FFMPEG_PATH: 'ffplay' }),
    hasDesktop: Boolean(process.env.DISPLAY ?? process.env.WAYLAND_DISPLAY),
    address,
  })
  log.info({ address, display: settings.BACKHAUL_RETURN_DISPLAY.kind }, 'returned pictures are shown')
  return { bus, display: createDisplay({ program, bus, clock: systemClock, log }), close }
}

/** Hardware is taken when it has shown in a trial that it encodes a picture of this size as it has to be. */
async function chosenCoder(
  { BACKHAUL_CODER: wanted, BACKHAUL_CODEC: codec }: AgentSettings,
  ffmpeg: UsedFfmpeg | undefined,
  picture: Picture,
  log: Log,
): Promise<Coder> {
  if (!ffmpeg || wanted === 'software') return 'software'
  const allowed = wanted === 'auto' ? hardwareCoders : [wanted]
  const { path: ffmpegPath, encoders } = ffmpeg
  const { coder, rejected } = await chooseCoder({ ffmpegPath, encoders, codec, picture, allowed })
  const level = wanted === 'auto' ? 'info' : 'warn'
  for (const one of rejected) log[level](one, 'hardware encoder not used')
  log.info({ encoder: coderName(codec, coder) }, 'video encoder')
  return coder
}

/** Without ffmpeg the unit runs, and refuses a start with the reason. */
async function findEncoder(settings: AgentSettings, log: Log): Promise<UsedFfmpeg | undefined> {
  const path = findFfmpeg({ ...process.env, FFMPEG_PATH: settings.FFMPEG_PATH })
  if (!path) {
    log.warn('ffmpeg was not found: nothing can be encoded')
    return undefined
  }
  const found = await probeFfmpeg(path, ['encoders', 'filters'])
  return settings.BACKHAUL_CODEC === 'h265' ? { ...found, ...(await probeFfmpeg(path, ['tenBits'])) } : found
}
