/** IP pipes of a real hub: a unit that calls it reaches the network that its owner has opened. */
import type { ServerWanted } from '@backhaul/contract/gateway/servers'
import { until } from '../stage/until.ts'
import { freePort } from './free-port.ts'
import { openPipeEnd } from './pipe-network.ts'
import { sessionKey } from './received-picture.ts'
import type { ServerUnderTest } from './server-under-test.ts'
import { patienceMs } from './shared-cases.ts'
import { areAnswered, areSilent, callForTunnel } from './tunnel-call.ts'
import type { Look } from './verdicts.ts'

const pipeId = 'pipe-1'

/** The look, where this machine can have what a pipe leads into. */
const withNetwork =
  (look: Look<ServerUnderTest>): Look<ServerUnderTest> =>
  async (server) => {
    const { fault } = server.network
    if (fault === undefined) return await look(server)
    const { capabilities, ethernets, ipPipePort } = server.actual()
    if (capabilities?.ipPipe || ethernets || ipPipePort != null) throw new Error('it claims IP pipes')
    return { absent: fault }
  }

function wantedPipe({ network }: ServerUnderTest, port: number): Omit<ServerWanted, 'channels'> {
  const of = { id: pipeId, unitId: 'unit-1', channel: 'channel-of-bonded-1' }
  return {
    ipPipe: { enabled: true, interface: network.bridge, port },
    ipPipes: [{ ...of, key: sessionKey.toString('base64'), interface: network.bridge }],
  }
}

/** Where units call: open while it is enabled, with the network as the machine has it. */
export const opensPipePort = withNetwork(async (server) => {
  const { bridge, socket } = server.network
  const port = await freePort()
  const caller = callForTunnel(pipeId, port)
  const isOpen = () => server.actual().ipPipePort === port
  try {
    const wanted = wantedPipe(server, port)
    await server.want([], wanted)
    await until('the port to be reported', isOpen, patienceMs)
    await until('an answer on both links', () => areAnswered(caller), patienceMs)
    const { capabilities, ethernets = [] } = server.actual()
    const [known] = ethernets.filter(({ name }) => name === bridge)
    if (!capabilities?.ipPipe || !known?.up || known.sockets.join() !== socket)
      throw new Error(`the network is ${JSON.stringify(known)}`)
    await server.want([], { ...wanted, ipPipe: { enabled: false, interface: bridge, port } })
    await until('the port to be gone', () => server.actual().ipPipePort === null, patienceMs)
    await until('no answer on any link', () => areSilent(caller), patienceMs)
    return `a unit is answered at port ${port} while it is open, and ${bridge} is there with its socket`
  } finally {
    caller.close()
    await server.want([])
  }
})

/** A machine in the network answers the unit, within the rate of a pipe, until the unit is admitted no more. */
export const leadsIntoNetwork = withNetwork(async (server) => {
  const { network } = server
  const port = await freePort()
  const wanted = wantedPipe(server, port)
  await server.want([], wanted)
  const caller = callForTunnel(pipeId, port)
  try {
    await until('an answer on both links', () => areAnswered(caller), patienceMs)
    const end = openPipeEnd(caller.open('ip-pipe'))
    await until('the pipe to be in the network', end.isReady, patienceMs)
    await end.asks()
    const report = await end.floods(network)
    await server.want([], { ...wanted, ipPipes: [] })
    await until('the pipe to have left the network', () => !network.isJoined(), patienceMs)
    return `a machine in the network answers; ${report}`
  } finally {
    caller.close()
    await server.want([])
  }
})
