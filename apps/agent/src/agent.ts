// The agent: the software of a real field unit, which encodes a source and sends it over every network link it has.
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { because } from '@backhaul/contract/define/refusals'
import { openOwnSoftware } from '@backhaul/device/own-software'
import { createRestartNote } from '@backhaul/device/restart-note'
import { createTokenFile } from '@backhaul/device/token-store'
import { createUnitDevice } from '@backhaul/device/unit-device'
import { type FfmpegCapabilities, findFfmpeg, findFont, probeFfmpeg } from '@backhaul/ffmpeg/find'
import { probePicture } from '@backhaul/ffmpeg/probe-picture'
import { defaultPicture, type Source } from '@backhaul/ffmpeg/sources'
import { createTsBus } from '@backhaul/ffmpeg/ts-bus'
import { systemClock } from '@backhaul/runtime/clock'
import { openDataFolder } from '@backhaul/runtime/data-folder'
import { createLog, type Log } from '@backhaul/runtime/log'
import { createLogTail } from '@backhaul/runtime/log-tail'
import { failStart } from '@backhaul/runtime/settings'
import { onStop } from '@backhaul/runtime/stop'
import type { CameraSocket, CameraSockets } from './cameras.ts'
import { usableInterfaces } from './hardware/interfaces.ts'
import { rebootMachine, shutDownMachine } from './hardware/machine.ts'
import { openPortAssignments } from './hardware/port-assignments.ts'
import { followPosition } from './hardware/position.ts'
import { createRealUnit } from './real-unit.ts'
import { createDisplay, displayProgram } from './returns/display.ts'
import { openReturnDoor } from './returns/return-door.ts'
import { keptSerialNumber } from './serial-number.ts'
import { type AgentSettings, readAgentSettings } from './settings.ts'
import { withScript } from './source-script.ts'
import { firstSettings } from './unit-quality.ts'

/** A version in the numbering of the units whose delays it offers (400 ms and more from 7.0 on). */
const setUpVersion = '8.0.0'
const lowestVideoKbps = 250

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
  const links = settings.BACKHAUL_LINKS
  const codec = settings.BACKHAUL_CODEC
  const coder = codec === 'h264' ? 'libx264' : 'libx265'
  const cameras = await socketsOf(settings, ffmpeg, dataFolder, log)
  const mediaFolder = join(dataFolder, 'media')
  mkdirSync(mediaFolder, { recursive: true })

  const screen = await openScreen(settings, log)

  const hardware = createRealUnit({
    screen,
    mediaFolder,
    clock: systemClock,
    log,
    scanInterfaces: links ? () => links : () => usableInterfaces(),
    portAssignments: openPortAssignments(join(dataFolder, 'links.json')),
    position: followPosition(settings.BACKHAUL_POSITION),
    capabilities: {
      ...capabilitiesOf(ffmpeg, cameras),
      upgrade: software.upgrade !== undefined,
      shutdown: shutdown !== undefined,
    },
    logs: tail.text,
    encoderFault: !ffmpeg
      ? 'unit.noFfmpeg'
      : ffmpeg.encoders.includes(coder)
        ? undefined
        : because('unit.ffmpegWithout', { feature: coder }),
    limits: {
      lowestKbps: lowestVideoKbps,
      highestKbps: settings.BACKHAUL_BITRATE_KBPS,
      audioKbps: firstSettings.audioBitrate,
    },
    encoder: { ffmpegPath: ffmpeg?.path ?? '', codec },
    cameras,
    openUrl: (url) => withScript({ kind: 'url', url }, 'ip', dataFolder),
    restart: () => (settings.BACKHAUL_REBOOT === 'machine' ? rebootMachine() : stopping.restart()),
  })
  const device = createUnitDevice({
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
    await hardware.close()
    await screen.close()
  })
  log.info({ serialNumber, core: coreUrl, ffmpeg: ffmpeg?.version }, 'unit started')
  process.stdout.write('{"ready":true}\n')
}

function capabilitiesOf(
  ffmpeg: FfmpegCapabilities | undefined,
  cameras: CameraSockets,
): Record<string, boolean> {
  return {
    hevc: ffmpeg?.encoders.includes('libx265') ?? false,
    logs: true,
    fileUpload: true,
    speedTest: true,
    videoReturn: true,
    storeAndForward: ffmpeg !== undefined,
    ...(cameras.length > 1 && { multiCamera: true, switcher: true, switcherAndProxy: true }),
  }
}

/** Each source as it is seen, in the size and rate that are set, or else its own. */
async function socketsOf(
  settings: AgentSettings,
  ffmpeg: FfmpegCapabilities | undefined,
  dataFolder: string,
  log: Log,
): Promise<CameraSockets> {
  const { BACKHAUL_SOURCE: first, BACKHAUL_PICTURE: wanted } = settings
  const font = findFont()
  const showsText = font !== undefined && ffmpeg?.filters.includes('drawtext')
  async function socketOf(source: Source, camera: number): Promise<CameraSocket> {
    const isTestPattern = source.kind === 'testPattern'
    const scripted = withScript(source, camera, dataFolder)
    const own =
      scripted.kind === 'testPattern' || !ffmpeg ? undefined : await probePicture(ffmpeg.path, scripted)
    const picture = wanted === 'source' ? (own ?? defaultPicture) : wanted
    log.info({ camera, kind: source.kind, picture }, 'camera')
    return {
      source: scripted,
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

/** Without ffmpeg the unit runs, and refuses a start with the reason. */
async function findEncoder(settings: AgentSettings, log: Log): Promise<FfmpegCapabilities | undefined> {
  const path = findFfmpeg({ ...process.env, FFMPEG_PATH: settings.FFMPEG_PATH })
  if (!path) {
    log.warn('ffmpeg was not found: nothing can be encoded')
    return undefined
  }
  return await probeFfmpeg(path)
}
