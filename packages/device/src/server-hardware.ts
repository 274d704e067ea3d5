/** The port between a server's brain and what it drives: intakes, recordings, outputs, whether real or pretended. */
import type { Levels, ServerTelemetry } from '@backhaul/contract/gateway/gateway'
import type { ServerActual, ServerWanted } from '@backhaul/contract/gateway/servers'

/** The slow facts: told in full when asked, and asked for again after onChange was called. */
export type ServerFacts = Omit<ServerActual, 'appliedRevision'>

export interface ServerHardware {
  facts(): ServerFacts
  /** The load and the channels over the interval that just ended; called once a report interval. */
  sample(): Pick<ServerTelemetry, 'usage' | 'channels'>
  /** Sound levels since the last call, of channels that have sound; called several times a second. */
  levels(): Levels['channels']
  /** Makes it so; never called while an earlier call runs. The signal is aborted when something newer is wanted. */
  apply(wanted: ServerWanted, signal: AbortSignal): void | Promise<void>
  /** Who wants to know that facts changed; there is one listener, and a second one replaces it. */
  onChange(listener: () => void): void
}
