// The hub's media thread: owns the channels, the loops and the door for previews, and reports their state to control.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import type { Levels } from '@backhaul/contract/gateway/gateway'
import type { ChannelTelemetry, ServerWanted } from '@backhaul/contract/gateway/servers'
import { createLog } from '@backhaul/runtime/log'
import { type AudioBridge, createAudioBridge } from './audio-rooms/audio-bridge.ts'
import { createIfbs, type Ifbs } from './audio-rooms/ifbs.ts'
import { openRoomUnits } from './audio-rooms/room-units.ts'
import { type Channel, createChannel } from './channels/channel.ts'
import { createHlsStreams } from './hls/hls-streams.ts'
import { createReceivers } from './intake/receivers.ts'
import { createWhipDoor } from './intake/whip/whip-door.ts'
import { createLoops } from './loops/loops.ts'
import type { FromMedia, HubSlot, MediaSettings, ToMedia } from './messages.ts'
import { hlsKeyOf } from './outputs/hls-output.ts'
import { optionsFolder } from './outputs/output-secrets.ts'
import { setWebRtcPort } from './peer-config.ts'
import { openPreviews } from './previews/previews.ts'
import { createReturns } from './returns/returns.ts'
import { openWebDoor } from './web/web-door.ts'

const TICK_MS = 250
const TELEMETRY_MS = 1000
const LEVELS_MS = 200

const settings = workerData as MediaSettings
const control = parentPort!
const send = (message: FromMedia) => control.postMessage(message)
const log = createLog({
  name: 'hub',
  format: settings.logFormat,
  level: settings.logLevel,
  // Log lines about a channel can be read at core, to which control is connected.
  tail: { note: (line, slot) => send({ type: 'logLine', line, slot }) },
})

// One viewer's socket or offer must not take every channel off the air; what throws outside a promise still ends the thread.
process.on('unhandledRejection', (error) => log.error(error, 'unhandled rejection'))

rmSync(optionsFolder(settings.dataFolder), { recursive: true, force: true })
const hls = settings.web && createHlsStreams()
const receivers = createReceivers()
const openChannel = (slot: HubSlot): Channel =>
  createChannel({
    slot,
    unitHost: settings.unitHost,
    openReceiver: receivers.open,
    ffmpeg: settings.ffmpeg,
    dataFolder: settings.dataFolder,
    mayStreamToOwnNetwork: settings.mayStreamToOwnNetwork,
    hls,
    localAddresses: settings.localAddresses,
    onMoved: (port) => send({ type: 'moved', slot: slot.slot, port }),
    log: log.child({ slot: slot.slot }),
  })
let channels = settings.slots.map(openChannel)
const ofChannel = (id: string) => channels.find((channel) => channel.channelId() === id)
const loops = createLoops({
  count: settings.ffmpeg ? settings.loops : 0,
  ffmpeg: settings.ffmpeg,
  folder: join(settings.dataFolder, 'loops'),
  onReady: () => send({ type: 'loops', loops: loops.ids() }),
  log,
})
const returns =
  settings.ffmpeg && settings.returnSources.length > 0
    ? createReturns({
        sources: settings.returnSources,
        ffmpeg: settings.ffmpeg,
        host: settings.unitHost,
        dataFolder: settings.dataFolder,
        channelOf: (slot) => channels.find((channel) => channel.slot.slot === slot),
        onChange: () => sendReturns(),
        log,
      })
    : undefined
const units = await openRoomUnits({
  host: settings.unitHost,
  port: settings.speechPort,
  onSpoken: (packet) => audio.say(packet),
  onLeft: (roomId, speakerId) => audio.left(roomId, speakerId),
  onTurn: () => ifbs.turn(),
  log,
})
const ifbs: Ifbs = createIfbs({
  sources: settings.ifbSources,
  ffmpegPath: settings.ffmpeg?.path,
  busOf: (slot) => channels.find((channel) => channel.slot.slot === slot)?.bus,
  units,
  log,
})
const audio: AudioBridge = createAudioBridge(settings.localAddresses, units)
const previews = await openPreviews({
  host: settings.previewHost,
  port: settings.previewPort,
  localAddresses: settings.localAddresses,
  find: (id) => ofChannel(id) ?? returns?.find(id) ?? loops.find(id),
  filesFolder: settings.dataFolder,
  audio,
  log,
})
const whip = createWhipDoor((slot) => channels.find((channel) => channel.slot.slot === slot)?.whip)
const web =
  settings.web &&
  hls &&
  (await openWebDoor({
    ...settings.web,
    answers: { hls: hls.answer, whip },
    posts: { whip: 'application/sdp' },
    log,
  }))

/** Opens a channel for each new slot, and ends those whose slot is gone. */
function arrange(slots: readonly HubSlot[]): void {
  const isThere = (one: HubSlot) => slots.some(({ slot }) => slot === one.slot)
  for (const channel of channels) if (!isThere(channel.slot)) void channel.stop()
  const staying = channels.filter((channel) => isThere(channel.slot))
  const open = new Set(staying.map((channel) => channel.slot.slot))
  channels = [...staying, ...slots.filter(({ slot }) => !open.has(slot)).map(openChannel)]
}

function sendChannels(): void {
  const telemetry = channels.map((channel) => channel.telemetry())
  const counts = channels.flatMap((channel) => channel.counts() ?? [])
  send({
    type: 'channels',
    channels: telemetry.filter((one): one is ChannelTelemetry => one !== undefined),
    counts: counts.map((one) => ({ ...one, viewers: previews.viewersOf(one.channelId) })),
    audioSessions: audio.sessions(),
    failures: [...ifbs.failures(), ...(web?.failures() ?? [])],
  })
}

function sendReturns(): void {
  if (returns) send({ type: 'returns', ...returns.report() })
}

function sendLevels(): void {
  const levels = channels.map((channel) => channel.levels())
  const present = levels.filter((one): one is Levels['channels'][number] => one !== undefined)
  if (present.length > 0) send({ type: 'levels', channels: present })
}

const timers = [
  setInterval(() => {
    const changes = channels.map((channel) => channel.tick())
    if (changes.includes(true)) sendChannels()
    if (returns?.tick()) sendReturns()
  }, TICK_MS),
  setInterval(sendChannels, TELEMETRY_MS),
  setInterval(sendReturns, TELEMETRY_MS),
  setInterval(sendLevels, LEVELS_MS),
]

async function stop(): Promise<void> {
  for (const timer of timers) clearInterval(timer)
  const ending = channels.map((channel) => channel.stop())
  hls?.stop()
  await Promise.all([web?.stop(), previews.stop(), loops.stop(), returns?.stop(), ifbs.stop(), ...ending])
  await units.stop()
  await receivers.stop()
  control.close()
}

function hlsKeysIn({ channels: wanted }: ServerWanted): Set<string> {
  return new Set(
    wanted.flatMap(({ outputs }) => outputs.filter(({ protocol }) => protocol === 'hls').map(hlsKeyOf)),
  )
}

control.on('message', (message: ToMedia) => {
  switch (message.type) {
    case 'wanted':
      setWebRtcPort(message.state.settings?.webrtcPort ?? null)
      arrange(message.slots)
      units.apply(message.state.speech ?? [])
      ifbs.apply(message.state.ifbs ?? [])
      hls?.keepOnly(hlsKeysIn(message.state))
      for (const channel of channels)
        channel.apply(
          message.state.channels.find(({ slot }) => slot === channel.slot.slot),
          message.state.smpte,
        )
      break
    case 'returns':
      returns?.apply(message.state)
      sendReturns()
      break
    case 'previewKey':
      previews.setKey(message.of, message.key)
      break
    case 'play':
      ofChannel(message.channelId)?.play(message.fileId, message.path)
      break
    case 'stopPlaying':
      ofChannel(message.channelId)?.stopPlaying(message.fileId)
      break
    case 'stop':
      void stop()
  }
})
send({
  type: 'ready',
  previewPort: previews.port,
  speechPort: units.port.port,
  webPort: web?.port,
})
