// Every call that names a unit, a channel, a server or a group, made on one's own, a sibling's and a stranger's.
import { allEndpoints, api } from '@backhaul/contract/api/api'
import { APPLICATION_ID_HEADER, CSRF_COOKIE, CSRF_HEADER, pathOf } from '@backhaul/contract/define/endpoint'
import { type Action, mayDo, rolesOfAction } from '@backhaul/contract/nouns/actions'
import type { Role } from '@backhaul/contract/nouns/roles'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestFleet, type TestFleet } from './testing/fleet.ts'
import type { Browser } from './testing.ts'
import { groupNames } from './testing.ts'

type Noun = 'unit' | 'channel' | 'server' | 'group'

interface Naming {
  noun: Noun
  in: 'params' | 'query' | 'body'
  name: string
  /** What else a well-formed request has. */
  rest?: { params?: object; query?: object; body?: unknown }
}

const of = (noun: Noun, name = 'id', rest: Naming['rest'] = {}): Naming => ({
  noun,
  in: 'params',
  name,
  rest,
})
const byQuery = (noun: Noun, name: string): Naming => ({ noun, in: 'query', name })
const byBody = (name: string, body: object): Naming => ({ noun: 'unit', in: 'body', name, rest: { body } })

/** How each call names its thing. */
const namings: Readonly<Record<string, Naming>> = {
  'client.groupFeatures': byQuery('group', 'uid'),
  'groups.pairingCode': of('group'),
  'units.ofGroup': byQuery('group', 'group'),
  'units.byId': of('unit'),
  'units.one': of('unit'),
  'units.enhanced': of('unit'),
  'databridge.selected': of('unit'),
  'databridge.options': of('unit'),
  'databridge.select': of('unit', 'id', { body: { gateway: null } }),
  'units.status': of('unit'),
  'units.modems': of('unit'),
  'units.graph': of('unit'),
  'units.events': of('unit'),
  'units.location': of('unit'),
  'units.coordinates': byQuery('group', 'group'),
  'units.capabilities': of('unit'),
  'units.configuration': of('unit'),
  'units.services': of('unit'),
  'units.groups': of('unit'),
  'units.rename': byBody('uid', { name: 'Mine-now' }),
  'units.update': of('unit', 'id', { body: { comment: 'mine now' } }),
  'unitCommands.command': of('unit', 'id', { params: { command: 'stop_streaming' } }),
  'unitCommands.retriedCommand': of('unit', 'id', {
    params: { cmd: 'set_virtual_channel', n: 7 },
    body: { virtualChannelName: null },
  }),
  'unitCommands.setDelay': of('unit', 'id', { body: { delay: 2000 } }),
  'unitCommands.setLinks': of('unit', 'id', { body: [{ interface: 1, enabled: true }] }),
  'unitCommands.start': of('unit', 'id', { body: {} }),
  'unitCommands.stop': of('unit'),
  'channels.ofGroup': byQuery('group', 'group'),
  'channels.details': of('group', 'group'),
  'channels.status': of('channel'),
  'channels.capabilities': of('channel'),
  'channels.addresses': of('channel'),
  'channels.multiChannels': of('group'),
  'channels.record': of('channel', 'id', { body: { recording: true } }),
  'channels.multipoint': byQuery('unit', 'uniqueID'),
  'channels.updateMultipoint': byBody('uniqueID', { machines: [] }),
  'servers.one': of('server'),
  'servers.capabilities': of('server'),
  'servers.addresses': of('server'),
  'servers.status': of('server'),
  'servers.services': of('server'),
  'servers.smpte': of('server'),
  'alerts.active': byQuery('group', 'groupId'),
}

/** Calls that name neither of these; whom they are closed to is proved beside their features. */
const nameOther: readonly string[] = ['signIns.end']

/** Which groups' things each person may reach; Leeds and London belong to one customer, Cairo to another. */
const reach: Readonly<Record<string, readonly string[]>> = {
  root: ['london', 'leeds', 'cairo'],
  nora: ['london', 'leeds'],
  olivia: ['london'],
  reed: ['london', 'leeds'],
  sam: ['cairo'],
}

const roles: Readonly<Record<string, Role>> = {
  root: 'super_user',
  nora: 'luc_admin',
  olivia: 'luc_regular',
  reed: 'luc_read',
  sam: 'luc_regular',
}

describe('every call that names a thing', () => {
  let fleet: TestFleet
  const browsers = new Map<string, Browser>()
  const idOf: Record<Noun, Record<string, string>> = { unit: {}, channel: {}, server: {}, group: {} }

  beforeAll(async () => {
    fleet = await createTestFleet('sqlite')
    for (const group of Object.keys(groupNames)) {
      const more = { registrationKey: `key-${group}` }
      const server = await fleet.server(`MCR-${group}`, 1, more)
      const unit = await fleet.unit(`U-${group}`, more)
      idOf.unit[group] = unit.id
      idOf.server[group] = server.id
      idOf.channel[group] = server.channelIds[0] ?? ''
      idOf.group[group] = group
    }
    await fleet.pass()
    for (const username of Object.keys(reach)) browsers.set(username, await fleet.signedIn(username))
  })
  afterAll(() => fleet.remove())

  async function ask(username: string, call: (typeof calls)[number], id: string) {
    const { endpoint, naming } = call
    const { params = {}, query = {}, body } = naming.rest ?? {}
    const named = { [naming.name]: id }
    const browser = browsers.get(username) as Browser
    const payload = naming.in === 'body' ? { ...(body as object), ...named } : body
    const inQuery = new URLSearchParams({ ...query, ...(naming.in === 'query' && named) }).toString()
    const response = await browser.send({
      method: endpoint.method,
      url: `${pathOf(endpoint, { ...params, ...(naming.in === 'params' && named) })}?${inQuery}`,
      headers: { [APPLICATION_ID_HEADER]: 'test', [CSRF_HEADER]: browser.cookies.get(CSRF_COOKIE) ?? '' },
      ...(payload !== undefined && { payload: payload as object }),
    })
    return { status: response.statusCode, body: response.json() as unknown }
  }

  const isRead = (call: (typeof calls)[number]) => call.endpoint.method === 'GET'
  /** What a role may not do at all is proved elsewhere. */
  const isAllowed = (username: string, { endpoint }: (typeof calls)[number]) =>
    !(endpoint.permission in rolesOfAction) || mayDo([roles[username] as Role], endpoint.permission as Action)
  const calls = allEndpoints().flatMap(({ name, endpoint }) => {
    const naming = namings[name]
    return naming ? [{ name, endpoint, naming }] : []
  })

  it('is in the table above', () => {
    const named = allEndpoints().filter(({ endpoint }) => endpoint.path.includes('{'))
    const names = named.map(({ name }) => name).filter((name) => !nameOther.includes(name))
    expect(names.filter((name) => !namings[name])).toEqual([])
    expect(Object.keys(namings)).toHaveLength(calls.length)
  })

  it.each(calls)(
    '$name knows nothing of what is out of reach, and does not tell it from what is not there',
    async (call) => {
      for (const [username, within] of Object.entries(reach)) {
        if (!isAllowed(username, call)) continue
        const nowhere = await ask(username, call, 'nowhere')
        expect([username, nowhere.status]).toEqual([username, 404])
        for (const group of Object.keys(groupNames)) {
          if (within.includes(group)) continue
          expect([username, group, await ask(username, call, idOf[call.naming.noun][group] ?? '')]).toEqual([
            username,
            group,
            nowhere,
          ])
        }
      }
    },
  )

  it.each(calls.filter(isRead))('$name answers what is within reach', async (call) => {
    for (const [username, within] of Object.entries(reach)) {
      if (!isAllowed(username, call)) continue
      for (const group of within) {
        const { status } = await ask(username, call, idOf[call.naming.noun][group] ?? '')
        expect([username, group, status]).toEqual([username, group, 200])
      }
    }
  })

  it("does not let one's own unit choose a channel out of reach, by its id or by its name", async () => {
    const olivia = browsers.get('olivia') as Browser
    for (const virtualChannelName of [
      idOf.channel.leeds,
      idOf.channel.cairo,
      'MCR-cairo-1',
      'no-such-channel',
    ]) {
      const chosen = olivia.call(api.unitCommands.command, {
        params: { id: idOf.unit.london ?? '', command: 'set_virtual_channel' },
        body: { virtualChannelName: virtualChannelName ?? '' },
      })
      await expect(chosen).rejects.toMatchObject({ code: 404, message: 'Channel not found' })
    }
  })
})
