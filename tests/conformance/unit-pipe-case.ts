/** The IP pipe of a real agent: its server reaches the network of the crew. */
import { openTunnelPort } from '@backhaul/bonding/tunnel-port'
import { until } from '../stage/until.ts'
import { openPipeEnd, type PipeEnd } from './pipe-network.ts'
import { sessionKey } from './received-picture.ts'
import { patienceMs } from './shared-cases.ts'
import type { UnitUnderTest } from './unit-under-test.ts'

/** A machine of the crew answers the server, within the rate of a pipe, until the pipe is not wanted any more. */
export async function joinsCrew(unit: UnitUnderTest): Promise<string> {
  const { network } = unit
  const tunnels = await openTunnelPort('127.0.0.1', 0)
  let opened: PipeEnd | undefined
  tunnels.admit({
    sessionId: 'pipe-1',
    key: sessionKey,
    onStream(_, stream) {
      opened = openPipeEnd(stream)
      opened.ready()
    },
    onDatagram: () => {},
  })
  const state = () => unit.actual().applications?.l2ControlPipe?.state
  try {
    await unit.want({
      ipPipe: {
        id: 'pipe-1',
        serverId: 'server-1',
        channel: 'one',
        key: sessionKey.toString('base64'),
        targets: [{ host: '127.0.0.1', port: tunnels.port }],
      },
    })
    await until('the pipe', () => state() === 'connected', patienceMs)
    const end = await until('its stream', () => opened)
    await end.asks()
    const report = await end.floods(network)
    await unit.want({ ipPipe: null })
    await until('its end', () => state() === undefined && !network.isJoined(), patienceMs)
    return `a machine of the crew answers; ${report}`
  } finally {
    await unit.want({ ipPipe: null })
    await tunnels.close()
  }
}
