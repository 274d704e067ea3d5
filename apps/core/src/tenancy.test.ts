// Every call that names a unit, a channel, a server or a group, made on one's own, a sibling's and a stranger's.
import { allEndpoints, api } from '@backhaul/contract/api/api'
import { APPLICATION_ID_HEADER, CSRF_COOKIE, CSRF_HEADER, pathOf } from '@backhaul/contract/define/endpoint'
import { nothing } from '@backhaul/contract/define/nothing'
import { type Action, mayDo, rolesOfAction } from '@backhaul/contract/nouns/actions'
import { adminGroup, Role, roleOfUserType, UserType } from '@backhaul/contract/nouns/roles'
import { parseTopic, topics } from '@backhaul/contract/push/push'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { everything } from './database/scope.ts'
import { createTestFleet, type TestFleet, until } from './testing/fleet.ts'
import { type Browser, groupNames, password } from './testing.ts'

type Noun = 'unit' | 'channel' | 'server' | 'group' | 'inventory' | 'user' | 'profile'

type Named = ReturnType<typeof allEndpoints>[number]
type Call = Named & { naming: Naming }

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

/** For a call that names nothing: what it answers is then looked through. */
const unnamed = byQuery('group', 'unnamed')

/** How each call names its thing. */
const namings: Readonly<Record<string, Naming>> = {
  'client.groupFeatures': byQuery('group', 'uid'),
  'groups.pairingCode': of('group'),
  'invitations.create': of('group', 'currentGroup', { body: { period: '1 day' } }),
  'invitations.email': of('group', 'currentGroup', {
    body: { recipients: ['a@b.example'], period: '1 day' },
  }),
  'invitations.sms': of('group', 'currentGroup', {
    body: { recipients: ['+447700900001'], period: '1 day' },
  }),
  'groupAdministration.ofInventory': of('inventory'),
  'groupAdministration.one': of('group'),
  'groupAdministration.oneNewForm': of('group'),
  'groupAdministration.change': of('group', 'id', { body: { name: 'Mine-now' } }),
  'groupAdministration.changeNewForm': of('group', 'id', { body: { name: 'Mine-now' } }),
  'groupAdministration.remove': of('group'),
  'groupAdministration.removeNewForm': of('group'),
  'groupAdministration.units': of('group'),
  'groupAdministration.channels': of('group'),
  'groupAdministration.users': of('group'),
  'groupAdministration.choices': of('inventory', 'id', { query: { kind: 'unit' } }),
  'groupAdministration.addUnit': of('group', 'groupId', { params: { id: 'some' } }),
  'groupAdministration.removeUnit': of('group', 'groupId', { params: { id: 'some' } }),
  'groupAdministration.addChannel': of('group', 'groupId', { params: { channelId: 'some' } }),
  'groupAdministration.removeChannel': of('group', 'groupId', { params: { channelId: 'some' } }),
  'groupAdministration.defaultConfiguration': of('group'),
  'groupAdministration.makeDefaultConfiguration': of('group', 'id', { body: {} }),
  'groupAdministration.changeDefaultConfiguration': of('group', 'id', { body: {} }),
  'groupLegacy.update': { noun: 'group', in: 'body', name: 'groupUid', rest: { body: { name: 'Mine-now' } } },
  'groupLegacy.updateDetails': { noun: 'group', in: 'body', name: 'groupUid', rest: { body: {} } },
  'groupLegacy.add': {
    noun: 'inventory',
    in: 'body',
    name: 'inventoryUid',
    rest: { body: { name: 'Mine' } },
  },
  'groupLegacy.addDetails': {
    noun: 'inventory',
    in: 'body',
    name: 'inventoryUid',
    rest: { body: { name: 'Mine' } },
  },
  'groupLegacy.fetchDetails': byQuery('group', 'groupUid'),
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
  'inventories.update': of('inventory', 'id', { body: { region: 'mine now' } }),
  'inventories.remove': of('inventory'),
  'inventories.properties': of('inventory'),
  'inventories.setProperty': of('inventory', 'id', { params: { name: 'lux' }, body: { value: true } }),
  'reports.usage': of('inventory', 'id', {
    query: { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' },
  }),
  'usageProfiles.one': of('profile'),
  'usageProfiles.create': {
    noun: 'inventory',
    in: 'body',
    name: 'inventory',
    rest: { body: { name: 'Mine', type: 'data', monthlyLimit: 1, resetDay: 1 } },
  },
  'usageProfiles.change': of('profile', 'id', { body: { name: 'Mine-now' } }),
  'usageProfiles.remove': of('profile'),
  'services.ofInventory': of('inventory'),
  'services.ofInventoryForVendor': of('inventory'),
  'services.status': of('inventory', 'current'),
  'services.startTrial': of('inventory', 'current', { body: { serviceName: 'ingest' } }),
  'services.add': of('inventory', 'id', { body: { name: 'ingest' } }),
  'services.addNamed': of('inventory', 'id', { params: { service: 'ingest' }, body: {} }),
  'services.change': of('inventory', 'id', { body: { name: 'ingest' } }),
  'services.changeNamed': of('inventory', 'id', { params: { service: 'ingest' }, body: {} }),
  'services.remove': of('inventory', 'id', { query: { serviceName: 'ingest' } }),
  'services.removeNamed': of('inventory', 'id', { params: { service: 'ingest' } }),
  'licences.ofInventory': of('inventory'),
  'licences.assign': of('unit', 'unit', { params: { id: 'north' }, body: {} }),
  'licences.setStock': of('inventory', 'id', { body: { licence: 'video', total: 1 } }),
  'users.list': byQuery('inventory', 'inventory'),
  'users.one': of('user'),
  'users.change': of('user', 'id', { body: { label: 'mine now' } }),
  'users.remove': of('user'),
  'secondFactors.reset': of('user'),
  'users.setPassword': of('user', 'id', {
    body: { password: 'Mine-now-1', passwordConfirmation: 'Mine-now-1' },
  }),
}

/** Calls that name neither of these; whom they are closed to is proved beside their features. */
const nameOther: readonly string[] = [
  'signIns.end',
  'secondFactors.remove',
  'outbox.retry',
  'outbox.discard',
  'notifications.change',
  'notifications.remove',
]

/** Where a thing stands, seen from the sixteen people of the matrix, who belong to London alone. */
const standings = { own: 'london', sibling: 'leeds', foreign: 'cairo' } as const
type Standing = keyof typeof standings

/** What the role of a member of London may know of, by the contract: the vendor all, administrators their customer. */
const isWithin = (role: Role, standing: Standing): boolean =>
  role === 'super_user' || standing === 'own' || (standing === 'sibling' && adminGroup.includes(role))

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

/** A file is looked through as it is. */
const bodyOf = (response: LightMyRequestResponse): unknown =>
  String(response.headers['content-type']).startsWith('application/json') ? response.json() : response.body

/** What the door answers to a socket that it does not let in. */
const statusOfUpgrade = (url: string, cookie: string): Promise<number> =>
  new Promise((resolve) => {
    const socket = new WebSocket(url.replace('http', 'ws'), { headers: { cookie } })
    socket.on('unexpected-response', (_, response) => {
      resolve(response.statusCode ?? 0)
      socket.terminate()
    })
    socket.on('open', () => resolve(101))
    socket.on('error', () => {})
  })

describe('every call that names a thing', () => {
  let fleet: TestFleet
  const browsers = new Map<string, Browser>()
  const idOf: Record<Noun, Record<string, string>> = {
    unit: {},
    channel: {},
    server: {},
    group: {},
    inventory: groupNames,
    user: { london: 'us-olivia', leeds: 'us-reed', cairo: 'us-sam' },
    profile: {},
  }

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
    for (const inventory of ['north', 'south']) {
      const body = { name: 'Profile', type: 'data' as const, monthlyLimit: 1, resetDay: 1 }
      const profile = { ...body, inventory, isDefault: false, units: [] }
      const { id } = await fleet.core.fleet.usageProfiles.create(everything, profile)
      for (const group of Object.keys(groupNames)) {
        if (groupNames[group] === inventory) idOf.profile[group] = id
      }
    }
    await fleet.pass()
    // Activation needs a permission beside the role; who lacks it is refused in the tests of the feature.
    await fleet.db.updateTable('users').set({ oda: 1 }).execute()
    for (const username of Object.keys(reach)) browsers.set(username, await fleet.signedIn(username))
    for (const role of Role.options) await addMemberOfLondon(role)
  }, 30_000)
  afterAll(() => fleet.remove())

  async function addMemberOfLondon(role: Role): Promise<void> {
    const userType = UserType.options.find((type) => roleOfUserType[type] === role) ?? 'read only'
    const name = { firstName: 'Some', lastName: 'Body', inventories: ['north'], groups: ['london'] }
    await fleet.core.users.ensure({ id: `us-${role}`, username: role, password, userType, ...name })
    // No user type gives the role of staff, so that it is written where roles are kept.
    const roles = JSON.stringify([role])
    await fleet.db.updateTable('users').set({ roles, oda: 1 }).where('id', '=', `us-${role}`).execute()
    browsers.set(role, await fleet.signedIn(role))
  }

  async function send(browser: Browser, { endpoint, naming }: Call, id: string, payload?: unknown) {
    const { params = {}, query = {} } = naming.rest ?? {}
    const named = { [naming.name]: id }
    const inQuery = new URLSearchParams({ ...query, ...(naming.in === 'query' && named) }).toString()
    const response = await browser.send({
      method: endpoint.method,
      url: `${pathOf(endpoint, { ...params, ...(naming.in === 'params' && named) })}?${inQuery}`,
      headers: { [APPLICATION_ID_HEADER]: 'test', [CSRF_HEADER]: browser.cookies.get(CSRF_COOKIE) ?? '' },
      ...(payload !== undefined && { payload: payload as object }),
    })
    return { status: response.statusCode, body: bodyOf(response) }
  }

  /** What a role may not do at all is proved elsewhere. */
  const isAllowed = (username: string, { endpoint }: (typeof calls)[number]) =>
    !(endpoint.permission in rolesOfAction) || mayDo([roles[username] as Role], endpoint.permission as Action)

  async function ask(username: string, call: Call, id: string) {
    const { body } = call.naming.rest ?? {}
    const payload = call.naming.in === 'body' ? { ...(body as object), [call.naming.name]: id } : body
    return await send(browsers.get(username) ?? fleet.browser(), call, id, payload)
  }

  /** What tells of a group's things wherever it stands in an answer. */
  const marksOf = (group: string): string[] => [
    `"${group}"`,
    `-${group}`,
    ...[idOf.unit, idOf.channel, idOf.server].map((ids) => ids[group] ?? ''),
  ]

  const isRead = (call: Named) => call.endpoint.method === 'GET'
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
          const id = idOf[call.naming.noun][group] ?? ''
          if (within.some((near) => idOf[call.naming.noun][near] === id)) continue
          expect([username, group, await ask(username, call, id)]).toEqual([username, group, nowhere])
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

  /** One sign-in, one call and one standing: what came back that the contract does not let this role have. */
  async function leaksOf(role: Role, { name, endpoint }: Named, standing: Standing): Promise<string[]> {
    const { permission } = endpoint
    const naming = namings[name]
    const cell = `${name} as ${role}, ${standing}`
    const id = naming ? (idOf[naming.noun][standings[standing]] ?? '') : ''
    const isAllowed = permission === 'signedIn' || permission === 'anyone' || mayDo([role], permission)
    const call = { name, endpoint, naming: naming ?? unnamed }
    if (!isAllowed) {
      const { status } = await ask(role, call, id)
      return status === 403 ? [] : [`${cell}: ${status} instead of 403`]
    }
    // Next door belongs to the same customer: what is the customer's own is within reach there too.
    const isReached = isWithin(role, standing) || (naming !== undefined && id === idOf[naming.noun].london)
    if (naming && !isReached) {
      const [answer, nowhere] = [await ask(role, call, id), await ask(role, call, 'nowhere')]
      const isLike = answer.status === 404 && JSON.stringify(answer) === JSON.stringify(nowhere)
      return isLike ? [] : [`${cell}: ${answer.status} ${JSON.stringify(answer.body)}`]
    }
    if (!isRead(call)) return await leaksOfWrite(role, call, cell)
    const { status, body } = await ask(role, call, id)
    const found = Object.values(standings)
      .filter((group, at) => !isWithin(role, Object.keys(standings)[at] as Standing) && group)
      .flatMap((group) => marksOf(group).filter((mark) => JSON.stringify(body).includes(mark)))
    const isAnswered = naming ? status === 200 : status !== 401 && status !== 403
    return [...(isAnswered ? [] : [`${cell}: ${status}`]), ...found.map((mark) => `${cell}: shows ${mark}`)]
  }

  /** A write that is allowed is let through to the check of its fields and no further: nothing changes by being asked. */
  async function leaksOfWrite(role: Role, call: Call, cell: string): Promise<string[]> {
    const hasBody = call.endpoint.body !== nothing
    if (!hasBody && !namings[call.name]) return []
    const browser = browsers.get(role) as Browser
    const { status } = hasBody
      ? await send(browser, call, 'nowhere', { unheardOf: 1 })
      : await ask(role, call, 'nowhere')
    return status === (hasBody ? 400 : 404) ? [] : [`${cell}: ${status}`]
  }

  it('gives sixteen roles what the table of the contract says, here, next door and abroad', async () => {
    const leaks: string[] = []
    let cells = 0
    for (const named of allEndpoints()) {
      if (named.endpoint.permission === 'anyone') continue
      const { status } = await ask('anonymous', { ...named, naming: namings[named.name] ?? unnamed }, 'some')
      cells += Object.keys(standings).length
      if (status !== 401) leaks.push(`${named.name} as nobody: ${status}`)
      for (const role of Role.options) {
        for (const standing of Object.keys(standings) as Standing[]) {
          cells++
          leaks.push(...(await leaksOf(role, named, standing)))
        }
      }
    }
    console.info(`access matrix, calls: ${cells} cells, ${leaks.length} leaks`)
    expect(leaks).toEqual([])
  }, 900_000)

  it('gives sixteen roles the push topics that the table of the contract says', async () => {
    const leaks: string[] = []
    let cells = 0
    const names = (standing: Standing) =>
      topics.map(({ noun }) =>
        noun === 'user'
          ? `user.${{ own: '', sibling: 'us-olivia', foreign: 'us-sam' }[standing]}`
          : `${noun}.${idOf[noun as Noun][standings[standing]]}`,
      )
    for (const role of Role.options) {
      const follower = await fleet.follow(browsers.get(role) as Browser)
      for (const standing of Object.keys(standings) as Standing[]) {
        const asked = names(standing).map((name) => (name === 'user.' ? `user.us-${role}` : name))
        for (const name of asked) {
          cells++
          const { permission } = parseTopic(name)?.topic ?? {}
          const isPersonal = permission === 'signedIn'
          const isOpen = isPersonal
            ? standing === 'own'
            : mayDo([role], permission as Action) && isWithin(role, standing)
          const seen = follower.messages.length
          follower.subscribe([name])
          await until(() => follower.messages.length > seen)
          const answers = follower.messages.slice(seen)
          const isRefused = answers.some((one) => (one.topics as string[] | undefined)?.includes(name))
          const isTold = answers.some(({ topic }) => topic === name)
          if (isTold !== isOpen || isRefused === isOpen) leaks.push(`${name} as ${role}, ${standing}`)
        }
      }
      follower.socket.close()
    }
    await expect(fleet.follow(fleet.browser())).rejects.toThrow('HTTP 401')
    cells += topics.length * Object.keys(standings).length
    console.info(`access matrix, push topics: ${cells} cells, ${leaks.length} leaks`)
    expect(leaks).toEqual([])
  }, 60_000)

  it('gives sixteen roles the pictures of channels that the table of the contract says', async () => {
    const leaks: string[] = []
    for (const role of Role.options) {
      for (const standing of Object.keys(standings) as Standing[]) {
        const id = idOf.channel[standings[standing]]
        const browser = browsers.get(role) as Browser
        const { statusCode } = await browser.send({ url: `/preview/${id}/still.jpg` })
        const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const streamed = await statusOfUpgrade(`${fleet.url}/preview/${id}/stream`, cookie)
        const isAllowed = mayDo([role], 'watchTransmissions')
        // Nobody shows the channel in this test, which only those may hear who may see it.
        const expected = isAllowed ? (isWithin(role, standing) ? [503, 503] : [404, 404]) : [403, 404]
        if (`${[statusCode, streamed]}` !== `${expected}`)
          leaks.push(`${role}, ${standing}: ${[statusCode, streamed]} instead of ${expected}`)
      }
    }
    expect(leaks).toEqual([])
    const id = idOf.channel.london
    expect((await fleet.browser().send({ url: `/preview/${id}/still.jpg` })).statusCode).toBe(401)
    expect(await statusOfUpgrade(`${fleet.url}/preview/${id}/stream`, '')).toBe(401)
    console.info(`access matrix, pictures: ${(Role.options.length + 1) * 6} cells, ${leaks.length} leaks`)
  }, 60_000)

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
