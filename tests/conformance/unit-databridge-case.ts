/** The databridge of a real agent: what a program sends to its port comes out of a tunnel, and back. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { openTunnelPort } from '@backhaul/bonding/tunnel-port'
import { until } from '../stage/until.ts'
import { freePort } from './free-port.ts'
import { sessionKey } from './received-picture.ts'
import { patienceMs } from './shared-cases.ts'
import type { UnitUnderTest } from './unit-under-test.ts'

export async function bridges(unit: UnitUnderTest): Promise<string> {
  const tunnels = await openTunnelPort('127.0.0.1', 0)
  tunnels.admit({
    sessionId: 'bridge-1',
    key: sessionKey,
    onStream: (_, stream) => stream.pipe(stream),
    onDatagram: () => {},
  })
  const port = await freePort()
  try {
    await unit.want({
      databridge: {
        id: 'bridge-1',
        gatewayId: 'gateway-1',
        key: sessionKey.toString('base64'),
        targets: [{ host: '127.0.0.1', port: tunnels.port }],
        ports: [{ protocol: 'tcp', port }],
      },
    })
    const state = () => unit.actual().applications?.databridge?.state
    await until('the databridge', () => state() === 'bridging', patienceMs)
    const socket = connect({ host: '127.0.0.1', port })
    socket.end('through the tunnel')
    const [answer] = (await once(socket, 'data')) as [Buffer]
    if (answer.toString() !== 'through the tunnel') throw new Error(`${answer} came back`)
    await unit.want({ databridge: null })
    await until('its end', () => state() === undefined, patienceMs)
    return 'bytes went through the tunnel and back, and it ended'
  } finally {
    await tunnels.close()
  }
}
