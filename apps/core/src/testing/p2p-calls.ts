// A point-to-point unit with its destination, and the calls about its stream that write.
import type { TestDevice, TestFleet } from './fleet.ts'
import { until } from './wait.ts'

export interface PointToPointFleet {
  unit: TestDevice
  server: TestDevice
  /** The channels of the server; the first one is idle. */
  channelIds: readonly [string, string]
}

/** All of London. */
export async function pointToPointFleet(fleet: TestFleet): Promise<PointToPointFleet> {
  const unit = await fleet.unit('P2P-1', { product: 'P2P' })
  const server = await fleet.server('P2P-MCR', 2)
  const [first = '', second = ''] = server.channelIds
  await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
  return { unit, server, channelIds: [first, second] }
}

interface Input {
  params?: object
  body?: unknown
}

/** The order matters: each request needs what the one before it left. */
export function pointToPointChanges(stage: () => TestFleet): Record<string, () => Promise<Input>> {
  let staged: Promise<PointToPointFleet> | undefined
  async function of(body?: (of: PointToPointFleet) => object): Promise<Input> {
    staged ??= pointToPointFleet(stage())
    const all = await staged
    return { params: { id: all.unit.id }, ...(body && { body: body(all) }) }
  }
  return {
    'p2p.create': () => of(({ channelIds }) => ({ destinationChannelUid: channelIds[0] })),
    'p2p.change': () => of(({ channelIds }) => ({ destinationChannelUid: channelIds[1] })),
    'p2p.start': () => of(),
    'p2p.stop': () => of(),
    'p2p.setGroups': () => of(() => ({ groups: ['london'] })),
    'p2p.remove': () => of(),
  }
}
