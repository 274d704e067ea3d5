// The picture that is returned to the crew: received over the links, shown on the display, and reported as it comes.
import type { LinkTerms } from '@backhaul/bonding/link-terms'
import type { Reason } from '@backhaul/contract/define/refusals'
import type { ReceivedReturn } from '@backhaul/contract/nouns/video-return'
import { Refused } from '@backhaul/device/refused'
import type { VideoReturnHardware } from '@backhaul/device/unit-hardware'
import type { TsBus } from '@backhaul/ffmpeg/ts-bus'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { LinkRate } from '../link-terms.ts'
import type { UnitLink } from '../links.ts'
import type { Display } from './display.ts'
import { type ReturnFlow, startReturnFlow } from './return-flow.ts'

const reportPeriodMs = 1000
/** Smaller changes of the rate and of the delay are not reported. */
const rateStepKbps = 100
const delayStepMs = 100

const inSteps = (value: number, step: number): number => Math.round(value / step) * step

/** An output of a returned picture: the display reads it from the bus, and so do the viewers on this machine. */
export interface ReturnScreen {
  readonly bus: TsBus
  readonly display: Display
}

export interface VideoReturnOptions {
  screen: ReturnScreen
  usable: () => readonly UnitLink[]
  /** How the server is to use the links. */
  terms: () => LinkTerms
  clock: Clock
  log: Log
  onChange: () => void
  onLost: (why: Reason) => void
}

export interface VideoReturn {
  readonly hardware: VideoReturnHardware
  /** Null while nothing is fetched. */
  received(): ReceivedReturn | null
  /** The links that it comes over, and the rate of each. */
  links(): readonly LinkRate[]
  /** The usable links, or how they may be used, changed. */
  useLinks(): void
  close(): Promise<void>
}

export function createVideoReturn(options: VideoReturnOptions): VideoReturn {
  const { screen, usable, terms, clock, log, onChange } = options
  const { bus, display } = screen
  let flow: ReturnFlow | undefined
  let received: ReceivedReturn | null = null
  const timer = clock.setInterval(() => flow && look(flow), reportPeriodMs)

  function look(running: ReturnFlow): void {
    const { kbps, delayMs, links } = running.stats()
    const picture = bus.picture()
    received = {
      kbps: inSteps(kbps, rateStepKbps),
      delayMs: inSteps(delayMs, delayStepMs),
      links: links.filter(({ up }) => up).length,
      video: picture
        ? { codec: picture.codec, width: picture.width, height: picture.height, fps: Math.round(picture.fps) }
        : null,
      problem: display.problem(),
    }
    onChange()
  }

  async function end(): Promise<void> {
    flow?.stop()
    flow = undefined
    received = null
    bus.reset()
    await display.hide()
    onChange()
  }

  async function begin(starting: ReturnFlow, signal: AbortSignal): Promise<void> {
    const { promise: aborted, reject } = Promise.withResolvers<never>()
    const abort = () => reject(new Refused('transmission.startCancelled'))
    signal.addEventListener('abort', abort, { once: true })
    try {
      await Promise.race([starting.begun, aborted])
    } catch (error) {
      await end()
      throw error
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }

  return {
    hardware: {
      async start(wanted, signal) {
        signal.throwIfAborted()
        if (usable().length === 0) throw new Refused('unit.noLink')
        bus.reset()
        const onLost = (why: Reason) => void end().then(() => options.onLost(why))
        const starting = startReturnFlow({ bus, clock, log, onLost }, wanted, usable(), terms())
        flow = starting
        await begin(starting, signal)
        log.info({ channelId: wanted.channelId }, 'video return begun')
        display.show()
        look(starting)
      },
      stop: end,
      setDelay: (delayMs) => flow?.setDelay(delayMs),
    },
    received: () => received,
    links: () => flow?.stats().links ?? [],
    useLinks: () => flow?.useLinks(usable(), terms()),
    async close() {
      clock.clearInterval(timer)
      await end()
    },
  }
}
