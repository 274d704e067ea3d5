// Control's side of the media thread: starts it, restarts it after a failure, and passes it the wanted state again.
import { Worker } from 'node:worker_threads'
import type { ServerWanted } from '@backhaul/contract/gateway/servers'
import type { Log } from '@backhaul/runtime/log'
import type { FromMedia, HubSlot, MediaSettings, PreviewKey, PreviewKeyOf, ToMedia } from './messages.ts'

/** The thread sends a message each second; one that is silent for this long hangs. */
const SILENT_AFTER_MS = 10_000
const CHECK_MS = 1000
const STOP_WITHIN_MS = 6000
const restartDelaysMs = [100, 1000, 2000, 5000, 10_000]
const STABLE_AFTER_MS = 30_000

export interface MediaThread {
  /** One channel for each slot. */
  apply(wanted: ServerWanted, slots: readonly HubSlot[]): void
  /** The video return channels. */
  applyReturns(wanted: ServerWanted): void
  setPreviewKey(key: PreviewKey, of?: PreviewKeyOf): void
  /** The slot with its present port. */
  placed(slot: HubSlot): HubSlot
  /** Playing is not part of the wanted state: a restarted thread plays nothing. */
  post(message: Extract<ToMedia, { type: 'play' | 'stopPlaying' }>): void
  /** Ends the thread immediately, as a crash would; the channels come back with the next one. */
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
  let returns: Extract<ToMedia, { type: 'returns' }> | undefined
  const previewKeys = new Map<PreviewKeyOf, PreviewKey>()
  let { previewPort, speechPort, web } = settings
  /** Ports that replace ports in use, by slot: a new thread begins with them. */
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
    // Core, browsers and units know the ports by now: a new thread must use the same ones.
    if (message.type === 'ready') {
      ;({ previewPort, speechPort } = message)
      web = web && { ...web, port: message.webPort ?? web.port }
    }
    if (message.type === 'moved') moved.set(message.slot, message.port)
    onMessage(message)
  }

  function launch(): void {
    const startedMs = performance.now()
    spokeMs = startedMs
    worker = new Worker(new URL('./media.ts', import.meta.url), {
      workerData: { ...settings, slots: settings.slots.map(placed), previewPort, speechPort, web },
    })
    worker.on('message', receive)
    worker.on('error', (error) => log.error(error, 'media thread failed'))
    worker.on('exit', (code) => {
      worker = undefined
      if (stopping) return resolveEnded()
      if (performance.now() - startedMs >= STABLE_AFTER_MS) failures = 0
      const restartInMs = restartDelaysMs[Math.min(failures++, restartDelaysMs.length - 1)]!
      log.error({ code, restartInMs }, 'media thread ended, restarting')
      timer = setTimeout(launch, restartInMs)
    })
    for (const [of, key] of previewKeys) post({ type: 'previewKey', of, key })
    if (wanted) post({ ...wanted, slots: wanted.slots.map(placed) })
    if (returns) post(returns)
  }

  launch()
  const watch = setInterval(() => {
    if (!worker || performance.now() - spokeMs < SILENT_AFTER_MS) return
    log.error({ silentMs: performance.now() - spokeMs }, 'media thread does not respond, terminating it')
    void worker.terminate()
  }, CHECK_MS)
  return {
    apply(state, slots) {
      wanted = { type: 'wanted', state, slots }
      post(wanted)
    },
    applyReturns(state) {
      returns = { type: 'returns', state }
      post(returns)
    },
    setPreviewKey(key, of = 'channels') {
      previewKeys.set(of, key)
      post({ type: 'previewKey', of, key })
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
