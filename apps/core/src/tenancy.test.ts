// Every call that names a unit, a channel, a server or a group, made on an own, a sibling's and a foreign one.
import { allEndpoints, api } from '@backhaul/contract/api/api'
import { type Action, mayDo, refusalOfAction, rolesOfAction } from '@backhaul/contract/define/actions'
import { APPLICATION_ID_HEADER, CSRF_COOKIE, CSRF_HEADER, pathOf } from '@backhaul/contract/define/endpoint'
import { nothing } from '@backhaul/contract/define/nothing'
import { Role, UserType } from '@backhaul/contract/define/role-schemas'
import { adminGroup, roleOfUserType } from '@backhaul/contract/define/roles'
import { examplePng } from '@backhaul/contract/examples/overlays'
import { giveableKeyRoles } from '@backhaul/contract/nouns/granting'
import { parseTopic, topics } from '@backhaul/contract/push/push'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { everything } from './database/scope.ts'
import { engines, isNightly } from './database/testing.ts'
import { createTestFleet, type TestFleet } from './testing/fleet.ts'
import { inputChannelOf } from './testing/input-channel.ts'
import { modemAt } from './testing/network-calls.ts'
import { filesOf } from './testing/stored-files.ts'
import type { Noun, RequestTarget } from './testing/tenancy-target.ts'
import { nameOther, tenancyTargets, unnamed } from './testing/tenancy-targets.ts'
import { testStorages } from './testing/unit-with-files.ts'
import { until } from './testing/wait.ts'
import { type Browser, groupNames, password } from './testing.ts'

type Named = ReturnType<typeof allEndpoints>[number]
type Call = Named & { target: RequestTarget }

/** Where an object is, for the sixteen users of the matrix, who belong to London only. */
const standings = { own: 'london', sibling: 'leeds', foreign: 'cairo' } as const
type Standing = keyof typeof standings

/** A sign-in as this role, or a key of it. */
interface Caller {
  role: Role
  who: string
}
const isKey = ({ role, who }: Caller): boolean => who !== role

const ofEachReach: readonly Role[] = ['super_user', 'luc_admin', 'luc_regular']

/** A key may do what its role may, except for calls that are closed to all keys: by day there are two. */
const keyRoles = giveableKeyRoles(['super_user']).filter(
  (role) => isNightly || ['luc_admin', 'luc_regular'].includes(role),
)

/** Whether an object is in the scope of a role of London, by the contract: the vendor all, administrators their customer. */
const isWithin = (role: Role, standing: Standing): boolean =>
  role === 'super_user' || standing === 'own' || (standing === 'sibling' && adminGroup.includes(role))

/** The groups whose objects each user may reach; Leeds and London belong to one customer, Cairo to another. */
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

/** A file is searched as it is. */
const bodyOf = (response: LightMyRequestResponse): unknown =>
  String(response.headers['content-type']).startsWith('application/json') ? response.json() : response.body

/** The status of the answer to a socket that is refused. */
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

describe.each(engines)('every call that names an object, on %s', (engine) => {
  let fleet: TestFleet
  const browsers = new Map<string, Browser>()
  const idOf: Record<Noun, Record<string, string>> = {
    unit: {},
    smartUnit: {},
    p2p: {},
    channel: {},
    inputChannel: {},
    vrChannel: {},
    vrServer: {},
    server: {},
    ingestServer: {},
    group: {},
    inventory: groupNames,
    user: { london: 'us-olivia', leeds: 'us-reed', cairo: 'us-sam' },
    profile: {},
    apiKey: {},
    approval: {},
    deviceLog: {},
    publisher: {},
    subscriber: {},
    folder: {},
    file: {},
    room: {},
    overlay: {},
    fileTarget: {},
    fileSending: {},
  }

  async function addLog(unit_id: string): Promise<string> {
    const id = `lo-${unit_id}`
    const request = { name: 'Log', description: 'Froze', requested_by: 'root', started_ms: 0 }
    const log = { id, unit_id, channel_id: null, device_id: unit_id, ...request, state: 'complete', bytes: 0 }
    await fleet.db.insertInto('device_logs').values(log).execute()
    return id
  }

  beforeAll(async () => {
    fleet = await createTestFleet(engine)
    for (const group of Object.keys(groupNames)) {
      const more = { registrationKey: `key-${group}` }
      const server = await fleet.server(`MCR-${group}`, 1, more)
      const returns = await fleet.server(`VR-${group}`, 1, { ...more, product: 'Video Return Server' })
      const unit = (await fleet.unit(`U-${group}`, more)).obey()
      unit.report({ storages: testStorages, capabilities: { fileUpload: true }, modems: [modemAt(1)] })
      idOf.unit[group] = unit.id
      idOf.smartUnit[group] = (await fleet.unit(`SM-${group}`, { ...more, product: 'LU-Smart' })).id
      idOf.p2p[group] = (await fleet.unit(`PP-${group}`, { ...more, product: 'P2P' })).id
      idOf.server[group] = server.id
      idOf.channel[group] = server.channelIds[0] ?? ''
      idOf.inputChannel[group] = await inputChannelOf(fleet, `SRT-${group}`, more)
      idOf.vrServer[group] = returns.id
      idOf.ingestServer[group] = (
        await fleet.server(`IN-${group}`, 0, { ...more, product: 'Ingest Server' })
      ).id
      idOf.vrChannel[group] = returns.channelIds[0] ?? ''
      idOf.group[group] = group
      idOf.file[group] = `${idOf.channel[group]}/-/Bulletin.mp4`
      server.send(filesOf(idOf.channel[group] ?? '', ['Bulletin.mp4']))
    }
    for (const inventory of ['north', 'south']) {
      const body = { name: 'Profile', type: 'data' as const, monthlyLimit: 1, resetDay: 1 }
      const profile = { ...body, inventory, isDefault: false, units: [] }
      const { id } = await fleet.core.usageProfiles.create(everything, profile)
      const roomCall = { params: { id: inventory }, body: { name: 'Talkback' } }
      const overlayCall = { params: { id: inventory }, body: { name: 'Logo', png: examplePng } }
      const overlay = await (await fleet.signedIn('root')).call(api.overlays.create, overlayCall)
      const room = await (await fleet.signedIn('root')).call(api.audioRooms.create, roomCall)
      const targetCall = {
        params: { id: inventory },
        body: { name: 'Newsroom', kind: 'ftp' as const, address: 'ftp://127.0.0.1/' },
      }
      const fileTarget = await (await fleet.signedIn('root')).call(api.fileTargets.create, targetCall)
      // Its name marks the customer, by which the matrix finds it in a list.
      const name = inventory === 'south' ? 'Key-cairo' : 'Key-london'
      const apiKey = await keyOf('root', inventory, 'luc_read', name)
      for (const group of Object.keys(groupNames)) {
        if (groupNames[group] !== inventory) continue
        idOf.profile[group] = id
        idOf.room[group] = room.id
        idOf.overlay[group] = overlay.id
        idOf.fileTarget[group] = fileTarget.id
        idOf.apiKey[group] = apiKey.id
      }
    }
    await fleet.pass()
    const root = await fleet.signedIn('root')
    for (const group of Object.keys(groupNames)) {
      const body = { device: idOf.unit[group] ?? '' }
      idOf.deviceLog[group] = await addLog(body.device)
      const sent = { fileId: idOf.file[group] ?? '', targetId: idOf.fileTarget[group] ?? '' }
      idOf.fileSending[group] = (await root.call(api.fileTargets.send, { body: sent })).id
      idOf.approval[group] = (await root.call(api.accessApprovals.grant, { body })).id
      // Contractors read the logs of channels too.
      await root.call(api.accessApprovals.grant, { body: { device: idOf.server[group] ?? '' } })
      await addShares(root, group)
      const destinationChannelUid = idOf.channel[group] ?? ''
      await root.call(api.p2p.create, {
        params: { id: idOf.p2p[group] ?? '' },
        body: { destinationChannelUid },
      })
    }
    // Activation needs a permission in addition to the role; the tests of the feature cover its absence.
    await fleet.db.updateTable('users').set({ oda: 1, services: '["tally"]' }).execute()
    for (const username of Object.keys(reach)) browsers.set(username, await fleet.signedIn(username))
    for (const role of Role.options) await addMemberOfLondon(role)
    for (const role of keyRoles) await addProgram(role)
  })
  afterAll(() => fleet.remove())

  async function addShares(root: Browser, group: string): Promise<void> {
    const name = `Share-${group}`
    const publisher = await root.call(api.shares.createPublisher, { body: { name, group } })
    const folder = await root.call(api.shares.createFolder, { body: { name, group } })
    const { shareKey } = publisher
    const body = { name, shareKey, folder: folder.id }
    idOf.publisher[group] = publisher.id
    idOf.folder[group] = folder.id
    idOf.subscriber[group] = (await root.call(api.shares.createSubscriber, { body })).id
  }

  async function addMemberOfLondon(role: Role): Promise<void> {
    const userType = UserType.options.find((type) => roleOfUserType[type] === role) ?? 'read only'
    const name = { firstName: 'Some', lastName: 'Body', inventories: ['north'], groups: ['london'] }
    await fleet.core.users.ensure({ id: `us-${role}`, username: role, password, userType, ...name })
    // No user type gives the role of staff, so that it is written where roles are kept.
    const roles = JSON.stringify([role])
    await fleet.db
      .updateTable('users')
      .set({ roles, oda: 1, services: '["tally"]' })
      .where('id', '=', `us-${role}`)
      .execute()
    browsers.set(role, await fleet.signedIn(role))
  }

  const keyOf = async (username: string, inventory: string, role: Role, name: string = role) => {
    const browser = await fleet.signedIn(username)
    return await browser.call(api.apiKeys.create, { body: { name, inventory, role: role as never } })
  }

  /** Its maker was an administrator of the vendor then, and holds the key's role by now. */
  async function addProgram(role: Role): Promise<void> {
    const setRoles = (roles: readonly Role[]) =>
      fleet.db
        .updateTable('users')
        .set({ roles: JSON.stringify(roles) })
        .where('id', '=', `us-${role}`)
        .execute()
    await setRoles(['super_user'])
    const { key } = await keyOf(role, 'north', role)
    await setRoles([role])
    browsers.set(`a key of ${role}`, fleet.program(key))
  }

  /** `customer` is named with the object where a call does so: that of the object, unless another is given. */
  async function sendFrom(
    browser: Browser,
    { endpoint, target }: Call,
    id: string,
    payload?: unknown,
    customer = inventoryOf(id),
  ) {
    const { params = {}, query = {} } = target.rest ?? {}
    const unit = target.unit && { [target.unit]: idOf.unit[id] ?? 'some' }
    const inventory = target.inventory && { [target.inventory]: customer }
    const channel = target.channel && { [target.channel]: idOf.channel[id] ?? 'some' }
    const named = { [target.name]: id, ...unit, ...inventory, ...channel }
    const inQuery = new URLSearchParams({ ...query, ...(target.in === 'query' && named) }).toString()
    const response = await browser.send({
      method: endpoint.method,
      url: `${pathOf(endpoint, { ...params, ...(target.in === 'params' && named) })}?${inQuery}`,
      headers: { [APPLICATION_ID_HEADER]: 'test', [CSRF_HEADER]: browser.cookies.get(CSRF_COOKIE) ?? '' },
      ...(payload !== undefined && { payload: payload as object }),
    })
    return { status: response.statusCode, body: bodyOf(response) }
  }

  function inventoryOf(id: string): string {
    const group = Object.keys(groupNames).find((one) =>
      [idOf.unit, idOf.server, idOf.ingestServer, idOf.overlay, idOf.room, idOf.fileTarget].some(
        (ids) => ids[one] === id,
      ),
    )
    return groupNames[group ?? ''] ?? 'north'
  }

  /** Calls that a role may not make at all are tested elsewhere. */
  const isAllowed = (username: string, { endpoint }: (typeof calls)[number]) =>
    !(endpoint.permission in rolesOfAction) || mayDo([roles[username] as Role], endpoint.permission as Action)

  async function send(username: string, call: Call, id: string, customer?: string) {
    const { body } = call.target.rest ?? {}
    const payload = call.target.in === 'body' ? { ...(body as object), [call.target.name]: id } : body
    return await sendFrom(browsers.get(username) ?? fleet.browser(), call, id, payload, customer)
  }

  /** Texts that reveal a group's objects anywhere in an answer. */
  const marksOf = (group: string): string[] => [
    `"${group}"`,
    `-${group}`,
    ...[idOf.unit, idOf.channel, idOf.server].map((ids) => ids[group] ?? ''),
  ]

  const isRead = (call: Named) => call.endpoint.method === 'GET'
  const calls = allEndpoints().flatMap(({ name, endpoint }) => {
    const target = tenancyTargets[name]
    return target ? [{ name, endpoint, target }] : []
  })

  it('is in the table above', () => {
    const named = allEndpoints().filter(
      ({ name, endpoint }) =>
        endpoint.path.includes('{') &&
        endpoint.permission !== 'administerSystem' &&
        !nameOther.includes(name),
    )
    expect(named.filter(({ name }) => !tenancyTargets[name]).map(({ name }) => name)).toEqual([])
    expect(Object.keys(tenancyTargets)).toHaveLength(calls.length)
  })

  /** Calls as each user to whom the call is open, at the same time: each waits for the database alone most of the time. */
  const asEach = (call: Call, check: (username: string, within: readonly string[]) => Promise<void>) =>
    Promise.all(
      Object.entries(reach)
        .filter(([username]) => isAllowed(username, call))
        .map(([username, within]) => check(username, within)),
    )

  it.each(calls.filter(isRead))('$name answers what is within reach', async (call) => {
    await asEach(call, async (username, within) => {
      for (const group of within) {
        const { status } = await send(username, call, idOf[call.target.noun][group] ?? '')
        expect([username, group, status]).toEqual([username, group, 200])
      }
    })
  })

  // Refusals and hidden objects are decided before any statement, so that by day they are proved on one engine.
  if (engine !== 'sqlite' && !isNightly) return

  it.each(calls)('$name shows nothing out of scope, and treats it like what does not exist', async (call) => {
    await asEach(call, async (username, within) => {
      const nowhere = await send(username, call, 'nowhere')
      expect([username, nowhere.status]).toEqual([username, 404])
      for (const group of Object.keys(groupNames)) {
        const id = idOf[call.target.noun][group] ?? ''
        if (within.some((near) => idOf[call.target.noun][near] === id)) continue
        const absent = call.target.inventory
          ? await send(username, call, 'nowhere', inventoryOf(id))
          : nowhere
        expect([username, group, await send(username, call, id)]).toEqual([username, group, absent])
      }
    })
  })

  const lastAnswers = new Map<string, { name: string; answer: ReturnType<typeof send> }>()
  /** A call that names nothing is the same for every place, and some answers are long. */
  function sendOnce(who: string, call: Call): ReturnType<typeof send> {
    const last = lastAnswers.get(who)
    if (last?.name === call.name) return last.answer
    const answer = send(who, call, '')
    lastAnswers.set(who, { name: call.name, answer })
    return answer
  }

  /** Whether the contract lets this caller make the call at all. */
  const isOpenTo = (caller: Caller, { permission, closedToKeys }: Named['endpoint']): boolean =>
    (permission === 'signedIn' || permission === 'anyone' || mayDo([caller.role], permission)) &&
    !(isKey(caller) && closedToKeys)

  /**
   * Core refuses a caller before it reads what a call names, so that by day such a caller names the foreign one alone. One
   * whom it does not refuse names its own and the nearest that may be out of its reach, and one of each reach all of them.
   */
  function placesFor(caller: Caller, { endpoint }: Named): readonly Standing[] {
    if (isNightly) return Object.keys(standings) as Standing[]
    if (!isOpenTo(caller, endpoint)) return ['foreign']
    if (!isKey(caller) && ofEachReach.includes(caller.role)) return Object.keys(standings) as Standing[]
    return ['own', isWithin(caller.role, 'sibling') ? 'foreign' : 'sibling']
  }

  /** One sign-in, one call and one place: the parts of the answer that the contract does not allow this role. */
  async function leaksOf(caller: Caller, { name, endpoint }: Named, standing: Standing): Promise<string[]> {
    const { role, who } = caller
    const { permission, closedToKeys } = endpoint
    const target = tenancyTargets[name]
    const cell = `${name} as ${who}, ${standing}`
    const id = target ? (idOf[target.noun][standings[standing]] ?? '') : ''
    const call = { name, endpoint, target: target ?? unnamed }
    if (!isOpenTo(caller, endpoint)) {
      const refusal = isKey(caller) && closedToKeys ? 'apiKey.closed' : refusalOfAction(permission as Action)
      const { status, body } = await send(who, call, id)
      const code = (body as { cause?: { code?: string } }).cause?.code
      return status === 403 && code === refusal
        ? []
        : [`${cell}: ${status} ${code} instead of 403 ${refusal}`]
    }
    // The sibling belongs to the same customer: what is the customer's own is in scope there too.
    const isReached = isWithin(role, standing) || (target !== undefined && id === idOf[target.noun].london)
    if (target && !isReached) {
      const [answer, nowhere] = [await send(who, call, id), await send(who, call, 'nowhere', inventoryOf(id))]
      const isLike = answer.status === 404 && JSON.stringify(answer) === JSON.stringify(nowhere)
      return isLike ? [] : [`${cell}: ${answer.status} ${JSON.stringify(answer.body)}`]
    }
    if (!isRead(call)) return await leaksOfWrite(who, call, cell)
    const { status, body } = target ? await send(who, call, id) : await sendOnce(who, call)
    const text = JSON.stringify(body)
    const found = Object.values(standings)
      .filter((group, at) => !isWithin(role, Object.keys(standings)[at] as Standing) && group)
      .flatMap((group) => marksOf(group).filter((mark) => text.includes(mark)))
    const isAnswered = target ? status === 200 : status !== 401 && status !== 403
    return [...(isAnswered ? [] : [`${cell}: ${status}`]), ...found.map((mark) => `${cell}: shows ${mark}`)]
  }

  /** An allowed write reaches the check of its fields and no further, so that nothing changes. */
  async function leaksOfWrite(who: string, call: Call, cell: string): Promise<string[]> {
    const hasBody = call.endpoint.body !== nothing
    if (!hasBody && !tenancyTargets[call.name]) return []
    const browser = browsers.get(who) as Browser
    const { status } = hasBody
      ? await sendFrom(browser, call, 'nowhere', { unheardOf: 1 })
      : await send(who, call, 'nowhere')
    return status === (hasBody ? 400 : 404) ? [] : [`${cell}: ${status}`]
  }

  describe('gives sixteen roles, and keys, what the contract allows for own, sibling and foreign objects', () => {
    const callers: readonly Caller[] = [
      ...Role.options.map((role) => ({ role, who: role as string })),
      ...keyRoles.map((role) => ({ role, who: `a key of ${role}` })),
    ]
    // The log of changes is read before every write that is refused here has added a line to it.
    const guarded = allEndpoints()
      .filter(({ endpoint }) => endpoint.permission !== 'anyone')
      .toSorted((one, other) => Number(isRead(other)) - Number(isRead(one)))
    /** By day a third of them in turn, and one of each reach. */
    const callersOf = (named: Named) =>
      callers.filter(
        (caller, at) =>
          isNightly ||
          (!isKey(caller) && ofEachReach.includes(caller.role)) ||
          (at + guarded.indexOf(named)) % 3 === 0,
      )
    let cells = 0
    let leaksOfAll = 0
    afterAll(() => console.info(`access matrix, calls: ${cells} cells, ${leaksOfAll} leaks`))

    it.each(guarded)('[ACCESS-002] $name', async (named) => {
      const call = { ...named, target: tenancyTargets[named.name] ?? unnamed }
      const { status } = await send('anonymous', call, 'some')
      cells++
      const unsigned = status === 401 ? [] : [`${named.name} without a sign-in: ${status}`]
      const ofCallers = callersOf(named).map(async (caller) => {
        const found: string[] = []
        for (const standing of placesFor(caller, named)) {
          found.push(...(await leaksOf(caller, named, standing)))
          cells++
        }
        return found
      })
      const leaks = [...unsigned, ...(await Promise.all(ofCallers)).flat()]
      leaksOfAll += leaks.length
      expect(leaks).toEqual([])
    })
  })

  it("gives sixteen roles the push topics of the contract's table", async () => {
    const leaks: string[] = []
    let cells = 0
    const names = (standing: Standing) =>
      topics.map(({ noun }) =>
        noun === 'user'
          ? `user.${{ own: '', sibling: 'us-olivia', foreign: 'us-sam' }[standing]}`
          : `${noun}.${idOf[noun === 'access' ? 'unit' : (noun as Noun)][standings[standing]]}`,
      )
    for (const role of Role.options) {
      const follower = await fleet.follow(browsers.get(role) as Browser)
      for (const standing of Object.keys(standings) as Standing[]) {
        const requested = names(standing).map((name) => (name === 'user.' ? `user.us-${role}` : name))
        for (const name of requested) {
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
          const isSent = answers.some(({ topic }) => topic === name)
          if (isSent !== isOpen || isRefused === isOpen) leaks.push(`${name} as ${role}, ${standing}`)
        }
      }
      follower.socket.close()
    }
    await expect(fleet.follow(fleet.browser())).rejects.toThrow('HTTP 401')
    cells += topics.length * Object.keys(standings).length
    console.info(`access matrix, push topics: ${cells} cells, ${leaks.length} leaks`)
    expect(leaks).toEqual([])
  })

  it("gives sixteen roles the pictures of channels of the contract's table", async () => {
    const leaks: string[] = []
    for (const role of Role.options) {
      for (const standing of Object.keys(standings) as Standing[]) {
        const id = idOf.channel[standings[standing]]
        const browser = browsers.get(role) as Browser
        const { statusCode } = await browser.send({ url: `/preview/${id}/still.jpg` })
        const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const streamed = await statusOfUpgrade(`${fleet.url}/preview/${id}/stream`, cookie)
        const isAllowed = mayDo([role], 'watchTransmissions')
        // No server shows the channel in this test, which is reported only to those who may see it.
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
  })

  it('does not let an own unit choose a channel out of scope, by its id or by its name', async () => {
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
      await expect(chosen).rejects.toMatchObject({ code: 404, message: 'Channel not found.' })
    }
  })
})
