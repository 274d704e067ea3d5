// A server that holds IP pipes and a unit with one, and the calls about them that write.
import { api } from '@backhaul/contract/api/api'
import type { IpPipeConfiguration, IpPipeSettings, ServerEthernet } from '@backhaul/contract/nouns/ip-pipe'
import type { Browser } from '../testing.ts'
import type { TestDevice, TestFleet } from './fleet.ts'
import { until } from './wait.ts'

export const pipePort = 21_950
export const pipeConfiguration: IpPipeConfiguration = {
  enabled: true,
  interface: 'br-control',
  port: pipePort,
}

const ethernetOf = (name: string): ServerEthernet => ({
  name,
  mac: '02:00:5e:10:00:01',
  addresses: [],
  sockets: ['eno2'],
  up: true,
})
export const ethernets = ['br-control', 'br-cameras'].map(ethernetOf)
export const ableToPipe = {
  protocolsIn: ['bonded'],
  protocolsOut: [],
  encoders: [],
  ffmpegVersion: null,
  ipPipe: true,
}

export interface PipedFleet {
  server: TestDevice
  unit: TestDevice
}

/** Both of London; the server has two channels, and no pipe is set on it. */
export async function pipedFleet(fleet: TestFleet): Promise<PipedFleet> {
  const server = await fleet.server('Piper', 2)
  const unit = await fleet.unit('PIPE-1')
  server.report({
    addresses: ['192.0.2.9'],
    ipPipePort: pipePort,
    ethernets,
    capabilities: ableToPipe,
  })
  unit.report({ capabilities: { ipPipe: true } })
  await until(() => fleet.core.units.values(unit.id)?.capabilities.ipPipe === true)
  await until(() => fleet.core.servers.memory(server.id)?.actual.ipPipePort === pipePort)
  await until(() => fleet.core.devices.memberships.membersOf('channel', 'london').length >= 2)
  return { server, unit }
}

export const pipeSettings = ({ server }: PipedFleet): IpPipeSettings => ({
  serverId: server.id,
  channel: server.channelIds[0] ?? '',
  port: pipePort,
  interface: '',
  description: 'Camera control',
})

interface Input {
  params: object
  body?: unknown
}

/** `stage` is called when a request is made, not before. */
export function ipPipeChanges(
  stage: () => { root: Browser; piped: PipedFleet },
): Record<string, () => Input | Promise<Input>> {
  const unit = () => ({ id: stage().piped.unit.id })
  const server = () => ({ id: stage().piped.server.id })
  const body = () => pipeSettings(stage().piped)
  return {
    'ipPipe.configure': () => ({ params: server(), body: pipeConfiguration }),
    'ipPipe.changeConfiguration': () => ({ params: server(), body: { port: pipePort } }),
    'ipPipe.setUnit': () => ({ params: unit(), body: body() }),
    'ipPipe.connect': async () => {
      const { root } = stage()
      await root.call(api.ipPipe.configure, { params: server(), body: pipeConfiguration })
      await root.call(api.ipPipe.setUnit, { params: unit(), body: body() })
      return { params: unit() }
    },
    'ipPipe.disconnect': () => ({ params: unit() }),
  }
}
