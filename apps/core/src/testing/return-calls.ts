// Every call of video return: how it names its object, and each write as a request that succeeds.
import { api } from '@backhaul/contract/api/api'
import type { Browser } from '../testing.ts'
import type { TestDevice } from './fleet.ts'
import { type RequestTarget, target } from './tenancy-target.ts'

export const returnTargets: Readonly<Record<string, RequestTarget>> = {
  'videoReturn.ofGroup': target('group', 'groupId'),
  'videoReturnAdministration.ofInventory': target('inventory'),
  'videoReturnAdministration.one': target('vrChannel'),
  'videoReturnAdministration.create': {
    noun: 'vrServer',
    in: 'body',
    name: 'serverId',
    rest: { body: { name: 'Mine' } },
  },
  'videoReturnAdministration.change': target('vrChannel', 'id', { body: { name: 'Mine-now' } }),
  'videoReturnAdministration.update': target('vrChannel', 'id', { body: { name: 'Mine-now' } }),
  'videoReturnAdministration.remove': target('vrChannel'),
  'videoReturnAdministration.inventories': target('vrChannel'),
  'videoReturnAdministration.groups': target('vrChannel'),
  'videoReturnAdministration.groupsOfInventories': target('vrChannel'),
  'videoReturnAdministration.associate': target('vrChannel', 'id', { params: { inv: 'north' } }),
  'videoReturnAdministration.disassociate': target('vrChannel', 'id', { params: { inv: 'north' } }),
  'videoReturnAdministration.serverConfiguration': target('vrServer'),
  'videoReturnAdministration.configureServer': target('vrServer', 'id', {
    body: { firstPort: 1, latencyMs: 20, maxReturns: 1 },
  }),
  'videoReturnLinks.list': target('vrChannel'),
  'videoReturnLinks.create': target('vrChannel', 'id', {
    body: { description: 'Mine', startsAt: '2100-01-01T00:00:00.000Z', durationMinutes: 60 },
  }),
  'videoReturnLinks.change': target('vrChannel', 'id', {
    params: { linkId: 'some' },
    body: { description: 'Mine' },
  }),
  'videoReturnLinks.remove': target('vrChannel', 'id', { params: { linkId: 'some' } }),
  'videoReturn.capabilities': target('vrChannel'),
  'videoReturn.inputSources': target('vrChannel'),
  'videoReturn.addresses': target('vrChannel'),
  'videoReturn.chooseInput': target('vrChannel', 'id', { body: { feedSelectionMode: 'automaticByServer' } }),
  'videoReturn.select': target('unit', 'id', { body: { channel: null } }),
  'videoReturn.selectByUnit': target('unit', 'id', { body: { channel: null } }),
  'videoReturn.start': target('unit'),
  'videoReturn.stop': target('unit'),
}

interface Input {
  params?: object
  body?: unknown
}

/** `stage` is called when a request is made, not before. */
export function returnChanges(
  stage: () => { root: Browser; returns: TestDevice; unit: TestDevice },
): Record<string, () => Input | Promise<Input>> {
  let made = 0
  const ofUnit = (body?: unknown): Input => ({ params: { id: stage().unit.id }, body })
  const ofChannel = ({ params = {}, body }: Input): Input => ({
    params: { id: stage().returns.channelIds[0], ...params },
    body,
  })
  const newChannel = () => ({ name: `Return-${made++}`, serverId: stage().returns.id })
  const newLink = { description: 'Press', startsAt: '2100-01-01T00:00:00.000Z', durationMinutes: 60 }
  const ofLink = async (body?: unknown): Promise<Input> => {
    const id = stage().returns.channelIds[0] ?? ''
    const link = await stage().root.call(api.videoReturnLinks.create, { params: { id }, body: newLink })
    return { params: { id, linkId: link.id }, body }
  }
  return {
    'videoReturnLinks.create': () => ofChannel({ body: newLink }),
    'videoReturnLinks.change': () => ofLink({ active: false }),
    'videoReturnLinks.remove': () => ofLink(),
    'videoReturnAdministration.create': () => ({ body: newChannel() }),
    'videoReturnAdministration.change': () => ofChannel({ body: { description: 'Programme' } }),
    'videoReturnAdministration.update': () => ofChannel({ body: { store: true } }),
    'videoReturnAdministration.remove': async () => {
      const { uniqueId } = await stage().root.call(api.videoReturnAdministration.create, {
        body: newChannel(),
      })
      return { params: { id: uniqueId } }
    },
    'videoReturnAdministration.associate': () => ofChannel({ params: { inv: 'south' } }),
    'videoReturnAdministration.disassociate': () => ofChannel({ params: { inv: 'south' } }),
    'videoReturnAdministration.configureServer': () => ({
      params: { id: stage().returns.id },
      body: { firstPort: 25_000, latencyMs: 800, maxReturns: 2 },
    }),
    'videoReturn.chooseInput': () => ofChannel({ body: { feedSelectionMode: 'custom', input: 'sdi-1' } }),
    'videoReturn.select': () => ofUnit({ channel: null }),
    'videoReturn.selectByUnit': () => ofUnit({ channel: stage().returns.channelIds[0] }),
    'videoReturn.start': () => ofUnit(),
    'videoReturn.stop': () => ofUnit(),
  }
}
