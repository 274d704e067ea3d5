// Fetches the picture of an input channel from addresses, the first of which that gives one is kept.
import { type PlainCode, wordingOf } from '@backhaul/contract/define/refusals'
import type { WantedSource } from '@backhaul/contract/gateway/servers'
import type { InputFailure } from '@backhaul/contract/nouns/channels'
import { runFfmpeg } from '@backhaul/ffmpeg/run'
import { urlScript } from '@backhaul/ffmpeg/sources'
import type { SupervisedChild } from '@backhaul/runtime/child-process'
import type { Log } from '@backhaul/runtime/log'
import { ownNetworkRefusal } from '../own-network-rule.ts'
import { createRefusals, SILENT_MS } from './input.ts'
import { fetchArguments } from './remux-arguments.ts'
import { sourceFailureOf } from './source-failures.ts'

/** Between two sources, and before the first one is tried again. */
const NEXT_AFTER_MS = 1000
const CHECK_MS = 1000
const MESSAGES_KEPT = 8

export interface FetchedInput {
  /** The sources in the order in which they are tried; one that is in use and still wanted is kept. */
  apply(sources: readonly WantedSource[]): void
  /** No source gives a picture. */
  isUnreachable(): boolean
  /** Why the one that was tried last gives none. */
  failure(): InputFailure | null
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
  let lastFailure: InputFailure | null = null
  let stopping = false

  /** The one behind it, the first behind the last. */
  const after = (source: WantedSource | undefined): WantedSource | undefined =>
    sources[(sources.findIndex(({ id }) => id === source?.id) + 1) % Math.max(1, sources.length)]

  async function launch(source: WantedSource | undefined): Promise<void> {
    current = source
    if (!source || stopping) return
    const refusal = options.mayStreamToOwnNetwork ? undefined : await ownNetworkRefusal(source.url)
    if (current !== source || stopping || child) return
    if (refusal !== undefined) return failed(source, 'source.ownNetwork')
    dataMs = performance.now()
    let hasStream = false
    const messages: string[] = []
    const own: SupervisedChild = runFfmpeg({
      path: ffmpegPath,
      args: fetchArguments(),
      onStdout(chunk) {
        if (child !== own) return
        dataMs = performance.now()
        failures.clear()
        lastFailure = null
        if (!hasStream) log.info({ source: source.id }, 'the source gives a stream')
        hasStream = true
        onData(chunk)
      },
      // Messages repeat the address, which may hold a password: nothing of them is passed on.
      onMessage(message) {
        messages.push(message)
        if (messages.length > MESSAGES_KEPT) messages.shift()
      },
      onExit() {
        if (child !== own) return
        child = undefined
        if (hasStream) onGone()
        failed(source, hasStream ? 'source.ended' : sourceFailureOf(messages))
      },
    })
    child = own
    own.write(Buffer.from(urlScript(source.url)))
    own.endInput()
  }

  function failed(source: WantedSource, why: PlainCode): void {
    const { message: reason, cause } = wordingOf(why)
    lastFailure = { sourceId: source.id, reason, ...(cause && { cause }) }
    if (failures.note()) log.warn({ source: source.id, why: reason }, 'the next source is tried')
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
      lastFailure = null
      leave()
      void launch(sources[0])
    },
    isUnreachable: () => sources.length > 0 && failures.isNews(),
    failure: () => (sources.length > 0 && failures.isNews() ? lastFailure : null),
    async stop() {
      stopping = true
      clearInterval(watch)
      clearTimeout(timer)
      await child?.stop()
    },
  }
}
