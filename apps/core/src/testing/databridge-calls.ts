// A gateway and a unit with a databridge, and the calls about it that write.
import { api } from '@backhaul/contract/api/api'
import type { Browser } from '../testing.ts'
import type { TestDevice, TestFleet } from './fleet.ts'
import { until } from './wait.ts'

export const gatewayPort = 21_900

export interface BridgedFleet {
  gateway: TestDevice
  unit: TestDevice
}

/** Both of London. */
export async function bridgedFleet(fleet: TestFleet): Promise<BridgedFleet> {
  const gateway = await fleet.server('Gateway-1', 0, { product: 'Databridge Gateway' })
  const unit = await fleet.unit('BRIDGE-1')
  gateway.report({ addresses: ['192.0.2.9'], databridgePort: gatewayPort })
  unit.report({ capabilities: { databridge: true } })
  await until(() => fleet.core.units.values(unit.id)?.capabilities.databridge === true)
  await until(() => fleet.core.servers.memory(gateway.id)?.actual.databridgePort === gatewayPort)
  return { gateway, unit }
}

export const somePort = { protocol: 'tcp', port: 8021, host: 'ftp.example', hostPort: 21 } as const

interface Input {
  params: object
  body?: unknown
}

/** `stage` is called when a request is made, not before. */
export function databridgeChanges(
  stage: () => { root: Browser; bridged: BridgedFleet },
): Record<string, () => Input | Promise<Input>> {
  const params = () => ({ id: stage().bridged.unit.id })
  const body = () => ({ gateway: stage().bridged.gateway.id, ports: [somePort] })
  return {
    'databridge.select': () => ({ params: params(), body: { gateway: null } }),
    'databridge.set': () => ({ params: params(), body: body() }),
    'databridge.start': async () => {
      await stage().root.call(api.databridge.set, { params: params(), body: body() })
      return { params: params() }
    },
    'databridge.stop': () => ({ params: params() }),
  }
}
