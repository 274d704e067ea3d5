// Requests of the test of every write about shares, graphics, SMPTE, interfaces and audio rooms, with what each needs.
import { api } from '@backhaul/contract/api/api'
import { examplePng } from '@backhaul/contract/examples/overlays'
import type { Browser } from '../testing.ts'
import type { TestDevice } from './fleet.ts'

interface Input {
  params?: object
  query?: object
  body?: unknown
}

const mapping = {
  name: 'newsroom.xsl',
  content: '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"/>',
}

export function communicationRequests(
  on: () => { root: Browser; hub: TestDevice },
): Readonly<Record<string, () => Input | Promise<Input>>> {
  let made = 0
  const newPublisher = async () =>
    await on().root.call(api.shares.createPublisher, { body: { name: `Made ${made++}`, group: 'london' } })

  async function sharing(): Promise<Input> {
    const { id } = await newPublisher()
    const channel = on().hub.channelIds[0] ?? ''
    await on().root.call(api.shares.startSession, { params: { id }, body: { channel } })
    return { params: { id }, query: { channel } }
  }

  const newFolder = async () =>
    (await on().root.call(api.shares.createFolder, { body: { name: `Made ${made++}`, group: 'london' } })).id

  const subscription = async () => ({
    name: 'Pool',
    shareKey: (await newPublisher()).shareKey,
    folder: 'root-london',
  })

  const newSubscriber = async () =>
    (await on().root.call(api.shares.createSubscriber, { body: await subscription() })).id

  const newRoom = async () => {
    const call = { params: { id: 'north' }, body: { name: `Made ${made++}` } }
    return (await on().root.call(api.audioRooms.create, call)).id
  }

  const ofRoom = async (body?: unknown): Promise<Input> => ({
    params: { id: 'north', room: await newRoom() },
    body,
  })

  const newOverlay = async () => {
    const call = { params: { id: 'north' }, body: { name: `Made ${made++}`, png: examplePng } }
    return (await on().root.call(api.overlays.create, call)).id
  }

  async function choice(): Promise<Input> {
    const { root, hub } = on()
    const facts = { protocolsIn: [], protocolsOut: [], encoders: [], ffmpegVersion: null }
    hub.report({ capabilities: { ...facts, overlays: true, logs: true } })
    await root.call(api.services.add, { params: { id: 'north' }, body: { name: 'graphics' } })
    return { params: { id: hub.channelIds[0] }, body: { overlay: await newOverlay() } }
  }

  return {
    'overlays.create': () => ({ params: { id: 'north' }, body: { name: 'Logo', png: examplePng } }),
    'overlays.remove': async () => ({ params: { id: 'north', overlayId: await newOverlay() } }),
    'overlays.choose': choice,
    'overlays.clear': () => ({ params: { id: on().hub.channelIds[0] } }),
    'smpte.setServer': () => ({ params: { id: on().hub.id }, body: { configuration: null } }),
    'smpte.setChannel': () => ({ params: { id: on().hub.channelIds[0] }, body: { configuration: null } }),
    'interfaces.associateTally': () => ({
      params: { id: 'north' },
      body: { tally: `${on().hub.id}:tally-1`, channel: on().hub.channelIds[0] },
    }),
    'interfaces.lightTally': () => ({ params: { id: on().hub.channelIds[0] }, body: { onAir: true } }),
    'interfaces.associateIfb': () => ({
      params: { id: 'north' },
      body: { ifb: `${on().hub.id}:ifb-1`, channel: null },
    }),
    'ingest.changeAccount': () => ({ params: { id: 'north' }, body: { password: 'Rundown-7' } }),
    'ingest.checkPassword': async () => {
      const call = { params: { id: 'north' }, body: { password: 'Rundown-7' } }
      await on().root.call(api.ingest.changeAccount, call)
      return call
    },
    'ingest.uploadMapping': () => ({ params: { id: 'north' }, body: mapping }),
    'ingest.removeMapping': async () => {
      const params = { id: 'north' }
      await on().root.call(api.ingest.uploadMapping, { params, body: mapping })
      return { params }
    },
    'ingest.testMapping': async () => {
      const params = { id: 'north' }
      const content = mapping.content.replace(
        '/>',
        '><xsl:template match="/"><stories/></xsl:template></xsl:stylesheet>',
      )
      await on().root.call(api.ingest.uploadMapping, { params, body: { ...mapping, content } })
      return { params, body: { content: '<rundown/>' } }
    },
    'ingest.associate': () => ({
      params: { id: 'north' },
      body: { associations: [{ channelId: on().hub.channelIds[0], ingestServerId: null }] },
    }),
    'audioRooms.create': () => ({ params: { id: 'north' }, body: { name: 'Studio 1' } }),
    'audioRooms.change': () => ofRoom({ description: 'Director' }),
    'audioRooms.remove': () => ofRoom(),
    'shares.createPublisher': () => ({ body: { name: 'Election', group: 'london' } }),
    'shares.changePublisher': async () => ({
      params: { id: (await newPublisher()).id },
      body: { name: 'Pool' },
    }),
    'shares.removePublisher': async () => ({ params: { id: (await newPublisher()).id } }),
    'shares.startSession': async () => ({
      params: { id: (await newPublisher()).id },
      body: { channel: on().hub.channelIds[0] },
    }),
    'shares.endSession': sharing,
    'shares.createSubscriber': async () => ({ body: await subscription() }),
    'shares.changeSubscriber': async () => ({
      params: { id: await newSubscriber() },
      body: { name: 'Ours' },
    }),
    'shares.removeSubscriber': async () => ({ params: { id: await newSubscriber() } }),
    'shares.createFolder': () => ({ body: { name: 'Pool', group: 'london' } }),
    'shares.changeFolder': async () => ({ params: { id: await newFolder() }, body: { name: 'Agencies' } }),
    'shares.removeFolder': async () => ({ params: { id: await newFolder() } }),
  }
}
