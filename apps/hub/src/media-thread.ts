// Control's side of the media thread: starts it, starts it again when it broke, and gives it back what is wanted.
import { Worker } from 'node:worker_threads'
import type { ServerWanted } from '@backhaul/contract/gateway/servers'
import type { Log } from '@backhaul/runtime/log'
import type { FromMedia, HubSlot, MediaSettings, PreviewKey, ToMedia } from './messages.ts'

/** The thread speaks each second; one that is silent for so long hangs. */
const SILENT_AFTER_MS = 10_000
const CHECK_MS = 1000
const STOP_WITHIN_MS = 6000
const restartDelaysMs = [100, 1000, 2000, 5000, 10_000]
const STABLE_AFTER_MS = 30_000

export interface MediaThread {
  /** Channels are where the slots are. */
  apply(wanted: ServerWanted, slots: readonly HubSlot[]): void
  setPreviewKey(key: PreviewKey): void
  /** The slot with the port where it listens now. */
  placed(slot: HubSlot): HubSlot
  /** What is played is no wanted state: a thread that breaks plays nothing any more. */
  post(message: Extract<ToMedia, { type: 'play' | 'stopPlaying' }>): void
  /** Ends the thread at once, as a crash would; the channels come back with the next one. */
  restart(): void
  stop(): Promise<void>
}

export interface MediaThreadOptions {
  settings: MediaSettings
  onMessage: (message: FromMedia) => void
  log: Log
}

export function startMediaThread({ settings, onMessage, log }: MediaThreadOptions): MediaThread {
  let worker: Worker | undefined
  let wanted: Extract<ToMedia, { type: 'wanted' }> | undefined
  let previewKey: PreviewKey | undefined
  let previewPort = settings.previewPort
  /** Ports that were found instead of taken ones, by slot: a new thread begins with them. */
  const moved = new Map<string, number>()
  const placed = (slot: HubSlot): HubSlot => ({ ...slot, port: moved.get(slot.slot) ?? slot.port })
  let spokeMs = performance.now()
  let failures = 0
  let stopping = false
  let timer: NodeJS.Timeout | undefined
  const { promise: ended, resolve: resolveEnded } = Promise.withResolvers<void>()

  const post = (message: ToMedia) => void worker?.postMessage(message)

  function receive(message: FromMedia): void {
    spokeMs = performance.now()
    // Core and its browsers know the port by now: a new thread must serve on the same.
    if (message.type === 'ready') previewPort = message.previewPort
    if (message.type === 'moved') moved.set(message.slot, message.port)
    onMessage(message)
  }

  function launch(): void {
    const startedMs = performance.now()
    spokeMs = startedMs
    worker = new Worker(new URL('./media.ts', import.meta.url), {
      workerData: { ...settings, slots: settings.slots.map(placed), previewPort },
    })
    worker.on('message', receive)
    worker.on('error', (error) => log.error(error, 'the media thread failed'))
    worker.on('exit', (code) => {
      worker = undefined
      if (stopping) return resolveEnded()
      if (performance.now() - startedMs >= STABLE_AFTER_MS) failures = 0
      const restartInMs = restartDelaysMs[Math.min(failures++, restartDelaysMs.length - 1)]!
      log.error({ code, restartInMs }, 'the media thread ended and is started again')
      timer = setTimeout(launch, restartInMs)
    })
    if (previewKey !== undefined) post({ type: 'previewKey', key: previewKey })
    if (wanted) post({ ...wanted, slots: wanted.slots.map(placed) })
  }

  launch()
  const watch = setInterval(() => {
    if (!worker || performance.now() - spokeMs < SILENT_AFTER_MS) return
    log.error({ silentMs: performance.now() - spokeMs }, 'the media thread hangs')
    void worker.terminate()
  }, CHECK_MS)
  return {
    apply(state, slots) {
      wanted = { type: 'wanted', state, slots }
      post(wanted)
    },
    setPreviewKey(key) {
      previewKey = key
      post({ type: 'previewKey', key })
    },
    placed,
    post,
    restart: () => void worker?.terminate(),
    async stop() {
      stopping = true
      clearInterval(watch)
      clearTimeout(timer)
      if (!worker) return
      post({ type: 'stop' })
      const limit = setTimeout(() => void worker?.terminate(), STOP_WITHIN_MS)
      await ended
      clearTimeout(limit)
    },
  }
}
