// Fetches the picture of an input channel from addresses, the first of which that gives one is kept.
import type { WantedSource } from '@backhaul/contract/gateway/servers'
import { runFfmpeg } from '@backhaul/ffmpeg/run'
import { urlScript } from '@backhaul/ffmpeg/sources'
import type { SupervisedChild } from '@backhaul/runtime/child-process'
import type { Log } from '@backhaul/runtime/log'
import { ownNetworkRefusal } from '../own-network-rule.ts'
import { createRefusals, SILENT_MS } from './input.ts'
import { fetchArguments } from './remux-arguments.ts'

/** Between two sources, and before the first one is tried again. */
const NEXT_AFTER_MS = 1000
const CHECK_MS = 1000

export interface FetchedInput {
  /** In the order in which they are tried; one that is in use and still wanted is kept. */
  apply(sources: readonly WantedSource[]): void
  /** No source gives a picture. */
  isUnreachable(): boolean
  stop(): Promise<void>
}

export interface FetchedInputOptions {
  ffmpegPath: string
  /** Whether an address may be in the network of the operator. */
  mayStreamToOwnNetwork: boolean
  onData: (chunk: Buffer) => void
  /** The source ended. */
  onGone: () => void
  log: Log
}

export function createFetchedInput(options: FetchedInputOptions): FetchedInput {
  const { ffmpegPath, onData, onGone, log } = options
  const failures = createRefusals()
  let sources: readonly WantedSource[] = []
  let current: WantedSource | undefined
  let child: SupervisedChild | undefined
  let timer: NodeJS.Timeout | undefined
  let dataMs = 0
  let stopping = false

  /** The one behind it, the first behind the last. */
  const after = (source: WantedSource | undefined): WantedSource | undefined =>
    sources[(sources.findIndex(({ id }) => id === source?.id) + 1) % Math.max(1, sources.length)]

  async function launch(source: WantedSource | undefined): Promise<void> {
    current = source
    if (!source || stopping) return
    const refusal = options.mayStreamToOwnNetwork ? undefined : await ownNetworkRefusal(source.url)
    if (current !== source || stopping || child) return
    if (refusal !== undefined) return failed(source, 'the address is in the network of the operator')
    dataMs = performance.now()
    let hasStream = false
    const own: SupervisedChild = runFfmpeg({
      path: ffmpegPath,
      args: fetchArguments(),
      onStdout(chunk) {
        if (child !== own) return
        dataMs = performance.now()
        failures.clear()
        if (!hasStream) log.info({ source: source.id }, 'the source gives a stream')
        hasStream = true
        onData(chunk)
      },
      // Messages repeat the address, which may hold a password.
      onMessage: () => log.debug({ source: source.id }, 'ffmpeg message about the source'),
      onExit() {
        if (child !== own) return
        child = undefined
        if (hasStream) onGone()
        failed(source, hasStream ? 'its stream ended' : 'it gives no stream')
      },
    })
    child = own
    own.write(Buffer.from(urlScript(source.url)))
    own.endInput()
  }

  function failed(source: WantedSource, why: string): void {
    if (failures.note()) log.warn({ source: source.id, why }, 'the next source is tried')
    timer = setTimeout(() => void launch(after(source)), NEXT_AFTER_MS)
  }

  function leave(): void {
    clearTimeout(timer)
    const ended = child
    child = undefined
    if (ended) onGone()
    void ended?.stop()
  }

  const watch = setInterval(() => {
    if (child && performance.now() - dataMs > SILENT_MS) void child.stop()
  }, CHECK_MS)

  return {
    apply(next) {
      const isKept = next.some(({ id, url }) => id === current?.id && url === current.url)
      const isSame = JSON.stringify(next) === JSON.stringify(sources)
      sources = next
      if (isSame || isKept) return
      failures.clear()
      leave()
      void launch(sources[0])
    },
    isUnreachable: () => sources.length > 0 && failures.isNews(),
    async stop() {
      stopping = true
      clearInterval(watch)
      clearTimeout(timer)
      await child?.stop()
    },
  }
}
