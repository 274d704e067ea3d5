/** The databridge gateway of a real hub, a server of its own next to it: a unit that calls it reaches a host behind it. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { until } from '../stage/until.ts'
import { sessionKey } from './received-picture.ts'
import type { ServerUnderTest } from './server-under-test.ts'
import { patienceMs } from './shared-cases.ts'
import { areAnswered, areSilent, callForTunnel } from './tunnel-call.ts'

const id = 'bridge-1'

/** Bytes go there and back, until the unit is admitted no more. */
export async function leadsToHost({ gateway }: ServerUnderTest): Promise<string> {
  const host = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1')
  await once(host, 'listening')
  const { port: hostPort } = host.address() as AddressInfo
  const ports = [{ protocol: 'tcp', host: '127.0.0.1', hostPort } as const]
  const port = await until('its port', () => gateway.actual().databridgePort, patienceMs)
  const caller = callForTunnel(id, port)
  try {
    await gateway.want([], {
      databridges: [{ id, unitId: 'unit-1', key: sessionKey.toString('base64'), ports }],
    })
    await until('an answer on both links', () => areAnswered(caller), patienceMs)
    const stream = caller.open('0')
    stream.end('through the tunnel')
    const [answer] = (await once(stream, 'data')) as [Buffer]
    if (answer.toString() !== 'through the tunnel') throw new Error(`${answer} came back`)
    await gateway.want([])
    await until('no answer on any link', () => areSilent(caller), patienceMs)
    return 'bytes of a unit went to a host and back, until it was admitted no more'
  } finally {
    caller.close()
    host.close()
    await gateway.want([])
  }
}
