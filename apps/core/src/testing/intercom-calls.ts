// Every call of the intercom: how it names its unit, and each write as a request that succeeds.
import { api } from '@backhaul/contract/api/api'
import { firstLine } from '@backhaul/contract/nouns/intercom'
import type { Browser } from '../testing.ts'
import type { TestDevice, TestFleet } from './fleet.ts'
import { type RequestTarget, target } from './tenancy-target.ts'
import { until } from './wait.ts'

const onFirst = { session: 1 as const }

export const intercomTargets: Readonly<Record<string, RequestTarget>> = {
  'intercom.options': target('unit'),
  'intercom.set': target('unit', 'id', { body: { intercom: 1, mode: 'targetChannel' } }),
  'intercom.setJacks': target('unit', 'id', { body: { jacks: [{ jack: 1, use: 'off' }] } }),
  'intercom.start': target('unit', 'id', { params: onFirst, body: {} }),
  'intercom.stop': target('unit', 'id', { params: onFirst }),
  'intercom.sipAccount': target('unit'),
  'intercom.administeredSipAccount': target('unit'),
  'intercom.setSipAccount': target('unit', 'id', { body: { sipAccount: null } }),
  'ifb.read': target('unit', 'id', { body: {} }),
  'ifb.setDelay': target('unit', 'id', { body: { delay: 300 } }),
  'ifb.setAlwaysOn': target('unit', 'id', { body: { enabled: true } }),
}

export const speechPort = 20_900

/** A server with audio rooms at which units are called. */
export async function speechServer(fleet: TestFleet, name = 'ROOMS'): Promise<TestDevice> {
  const server = await fleet.server(name, 0)
  reportSpeech(server)
  await until(() => fleet.core.servers.memory(server.id)?.actual.speechPort === speechPort)
  return server
}

export function reportSpeech(server: TestDevice, port = speechPort): void {
  server.report({
    capabilities: { protocolsIn: [], protocolsOut: [], encoders: [], ffmpegVersion: null, audioRooms: true },
    addresses: ['192.0.2.7'],
    speechPort: port,
  })
}

/** The unit has two lines and one jack, the customer the service and a server, and the room is open to the unit. */
export async function intercomStage(root: Browser, unit: TestDevice, values: () => unknown): Promise<string> {
  unit.report({
    capabilities: { intercom: true, intercom2: true, ifb: true },
    settings: { intercoms: [firstLine, firstLine], audioJacks: [{ jack: 1, use: 'intercom1' }] },
    intercoms: [],
  })
  await until(() => (values() as { intercoms: unknown[] } | undefined)?.intercoms.length === 2)
  await root.call(api.services.add, { params: { id: 'north' }, body: { name: 'web_aud_connect' } })
  await root.call(api.inventories.update, {
    params: { id: 'north' },
    body: { sipServer: 'sip.north.example' },
  })
  const body = { name: 'Gallery', units: [unit.id] }
  return (await root.call(api.audioRooms.create, { params: { id: 'north' }, body })).id
}

interface Input {
  params?: object
  body?: unknown
}

/** The calls have a unit of their own, which is made with the first request. */
export function intercomChanges(
  on: () => { fleet: TestFleet; root: Browser },
): Record<string, () => Promise<Input>> {
  let staged: Promise<{ unit: TestDevice; room: string }> | undefined

  async function arrange() {
    const { fleet, root } = on()
    const unit = await fleet.unit('U-INTERCOM')
    await speechServer(fleet)
    return { unit, room: await intercomStage(root, unit, () => fleet.core.units.values(unit.id)) }
  }

  const request =
    (bodyOf: (room: string) => object | undefined, more: object = {}) =>
    async (): Promise<Input> => {
      staged ??= arrange()
      const { unit, room } = await staged
      return { params: { id: unit.id, ...more }, body: bodyOf(room) }
    }

  return {
    'intercom.set': request((room) => ({ intercom: 1, mode: 'audioRoom', destinationAccount: room })),
    'intercom.setJacks': request(() => ({ jacks: [{ jack: 1, use: 'intercom2' }] })),
    'intercom.start': request(() => ({}), onFirst),
    'intercom.stop': request(() => undefined, onFirst),
    'ifb.read': request(() => ({})),
    'ifb.setDelay': request(() => ({ delay: 300 })),
    'ifb.setAlwaysOn': request(() => ({ enabled: true })),
    'intercom.setSipAccount': request(() => ({
      sipAccount: { server: 'sip.north.example', account: 'van-3' },
    })),
  }
}
