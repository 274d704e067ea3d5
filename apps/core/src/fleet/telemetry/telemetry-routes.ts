import type { channels } from '@backhaul/contract/api/channels'
import type { units } from '@backhaul/contract/api/units'
import type { Clock } from '@backhaul/runtime/clock'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Telemetry } from './telemetry.ts'

export function telemetryRoutes(telemetry: Telemetry, clock: Clock): Handlers<Pick<typeof units, 'graph'>> {
  return {
    graph: ({ caller, params, query: { points, intervalMs, until } }) =>
      telemetry.graph(caller.scope, params.id, { points, intervalMs, untilMs: until ?? clock.nowMs() }),
  }
}

export function feedRoutes(telemetry: Telemetry, clock: Clock): Handlers<Pick<typeof channels, 'feedGraph'>> {
  return {
    feedGraph: ({ caller, params, query: { points, intervalMs, until } }) =>
      telemetry.feedGraph(caller.scope, params.id, { points, intervalMs, untilMs: until ?? clock.nowMs() }),
  }
}
