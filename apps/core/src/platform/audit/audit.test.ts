import { api } from '@backhaul/contract/api/api'
import { APPLICATION_ID_HEADER, pathOf } from '@backhaul/contract/define/endpoint'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everything, type Scope } from '../../database/scope.ts'
import { engines } from '../../database/testing.ts'
import { createTestCore, password, type TestCore } from '../../testing.ts'
import type { AuditLine } from './audit-table.ts'

const ofNorth: Scope = {
  ...everything,
  everything: false,
  inventories: ['north'],
  customers: [{ id: 'north', withSecondaries: false }],
}

const line: AuditLine = {
  userId: null,
  username: 'unknown',
  scope: ofNorth,
  action: 'groupAdministration.change',
  objectKind: 'groups',
  objectId: null,
  inventoryId: null,
  address: '192.0.2.1',
  result: 'done',
  details: { name: 'Fresh' },
}
const olivia = { userId: 'us-olivia', username: 'olivia' }
const root = { userId: 'us-root', username: 'root', scope: everything }

describe.each(engines)('the audit log on %s', (engine) => {
  let test: TestCore
  beforeEach(async () => {
    test = await createTestCore(engine)
  })
  afterEach(() => test.remove())

  async function record(...lines: Partial<AuditLine>[]): Promise<void> {
    for (const more of lines) {
      await test.core.audit.record({ ...line, ...more })
      test.clock.advance(1000)
    }
  }

  /** Many at once, as record() writes each. */
  async function addLines(count: number): Promise<void> {
    await record({ ...olivia, objectId: 'london' })
    const [row, customer] = await Promise.all([
      test.db.selectFrom('audit').selectAll().executeTakeFirstOrThrow(),
      test.db.selectFrom('audit_customers').selectAll().executeTakeFirstOrThrow(),
    ])
    const ids = Array.from({ length: count - 1 }, (_, at) => `copy-${at}`)
    await test.db
      .insertInto('audit')
      .values(ids.map((id) => ({ ...row, id })))
      .execute()
    const customers = ids.map((id) => ({ ...customer, line_id: id }))
    await test.db.insertInto('audit_customers').values(customers).execute()
  }

  async function list(username: string, query: object = {}) {
    const browser = await test.signedIn(username)
    const { items } = await browser.call(api.audit.list, { query })
    return items.filter(({ action }) => action !== 'signIns.signIn')
  }

  const words = (lines: Awaited<ReturnType<typeof list>>) =>
    lines.map(({ username, objectId, details }) => `${username} ${objectId} ${JSON.stringify(details)}`)

  it('shows an administrator what their people did and what was done to their objects, newest first', async () => {
    await record(
      { ...olivia, objectId: 'london' },
      { ...root, objectId: 'leeds' },
      { ...root, objectId: 'cairo' },
      { ...root, objectId: null },
      { userId: 'us-sam', username: 'sam', scope: { ...ofNorth, inventories: ['south'] }, objectId: 'cairo' },
      {},
    )
    expect(words(await list('nora'))).toEqual([
      'root leeds {"name":"Fresh"}',
      'olivia london {"name":"Fresh"}',
    ])
    expect((await list('root')).map(({ username }) => username)).toEqual([
      'unknown',
      'sam',
      'root',
      'root',
      'root',
      'olivia',
    ])
    expect(await list('nora')).toMatchObject([{ objectName: 'Leeds-News' }, { objectName: 'London-News' }])
  })

  it('leaves out what a user of the customer named and could not reach', async () => {
    await record(
      { ...olivia, objectId: 'cairo', result: 'Group not found.' },
      { ...olivia, objectId: 'nowhere', result: 'Group not found.' },
      { ...olivia, objectId: 'london', result: 'Unit not found.', details: { unit: 'u-of-cairo' } },
      { ...olivia, inventoryId: 'south', result: 'Inventory not found.' },
    )
    expect(words(await list('nora'))).toEqual([
      'olivia null {}',
      'olivia london {}',
      'olivia null {}',
      'olivia null {}',
    ])
    // The owner of an object whose id was only guessed is not shown the attempt.
    await test.core.users.ensure({
      id: 'us-sue',
      username: 'sue',
      password,
      userType: 'admin',
      firstName: 'S',
      lastName: 'T',
      inventories: ['south'],
      groups: [],
    })
    expect(await list('sue')).toEqual([])
    expect(words(await list('root'))[2]).toBe('olivia nowhere {"name":"Fresh"}')
  })

  it('names the object of a refused removal, but not one that the caller cannot reach', async () => {
    const nora = await test.signedIn('nora')
    await nora.call(api.client.savePreferences, { body: { groupId: 'leeds' } })
    const removals = [
      { call: api.groupAdministration.remove, id: 'leeds', code: 409 },
      { call: api.groupAdministration.remove, id: 'cairo', code: 404 },
      { call: api.users.remove, id: 'us-root', code: 403 },
      { call: api.users.remove, id: 'us-sam', code: 404 },
    ]
    for (const { call, id, code } of removals) {
      await expect(nora.call(call, { params: { id } })).rejects.toMatchObject({ code })
      test.clock.advance(1000)
    }
    const rows = await test.db
      .selectFrom('audit')
      .select(['object_id', 'inventory_id', 'details'])
      .where('action', 'like', '%.remove')
      .orderBy('at_ms')
      .execute()
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['leeds', 'north', '{"name":"Leeds-News"}'],
      ['cairo', null, '{}'],
      ['us-root', 'north', '{"username":"root"}'],
      ['us-sam', null, '{}'],
    ])
  })

  it('shows that vendor staff of the customer acted on another customer, without the objects', async () => {
    await test.core.users.ensure({
      id: 'us-vera',
      username: 'vera',
      password,
      userType: 'superuser',
      firstName: 'V',
      lastName: 'T',
      inventories: ['north'],
      groups: [],
    })
    await record({ userId: 'us-vera', username: 'vera', scope: everything, objectId: 'cairo' })
    expect(words(await list('nora'))).toEqual(['vera null {}'])
  })

  it("leaves out ids of another customer's objects that the vendor named in a change", async () => {
    const details = { inventories: ['north', 'south'], groups: { cairo: 1, london: 2 }, label: 'cairo' }
    await record({ ...root, objectId: 'us-olivia', details })
    expect(await list('nora')).toMatchObject([
      { details: { inventories: ['north'], groups: { london: 2 }, label: null } },
    ])
    expect(await list('root')).toMatchObject([{ details }])
  })

  it('shows work for one of two customers only to that customer', async () => {
    await test.core.users.ensure({
      id: 'us-cora',
      username: 'cora',
      password,
      userType: 'contractor',
      firstName: 'C',
      lastName: 'T',
      inventories: ['north', 'south'],
      groups: [],
    })
    const scope = { ...ofNorth, inventories: ['north', 'south'] }
    await record({ userId: 'us-cora', username: 'cora', scope, objectId: 'cairo' })
    expect(await list('nora')).toEqual([])
    await record({ userId: 'us-cora', username: 'cora', scope, action: 'signIns.signOut' })
    expect(await list('nora')).toMatchObject([{ username: 'cora', action: 'signIns.signOut' }])
  })

  it('shows an administrator wrong passwords of their users', async () => {
    for (const username of ['Olivia', 'sam', 'unheard-of']) {
      const body = { username, password: 'Wrong-one-1' }
      await expect(test.browser().call(api.signIns.signIn, { body })).rejects.toMatchObject({ code: 401 })
    }
    const nora = await test.signedIn('nora')
    const { items } = await nora.call(api.audit.list, { query: { action: 'signIns.signIn' } })
    expect(items.map(({ username, result }) => [username, result])).toEqual([
      ['nora', 'done'],
      ['Olivia', 'Incorrect username or password.'],
    ])
  })

  it('is closed to all other roles', async () => {
    for (const username of ['olivia', 'reed', 'vera'])
      await expect(list(username)).rejects.toMatchObject({ code: 403 })
  })

  it('is searched by user, action and object, within a period, page by page', async () => {
    await record(
      { ...olivia, objectId: 'london' },
      { userId: 'us-reed', username: 'reed', action: 'units.rename' },
      { ...root, objectId: 'cairo' },
    )
    const found = async (query: object) => (await list('root', query)).map(({ username }) => username)
    expect(await found({ search: 'LOND' })).toEqual(['olivia'])
    expect(await found({ search: 'rename' })).toEqual(['reed'])
    expect(await found({ search: 'eed' })).toEqual(['reed'])
    expect(await found({ search: '_' })).toEqual([])
    expect(await found({ username: 'OLI' })).toEqual(['olivia'])
    expect(await found({ action: 'units.rename' })).toEqual(['reed'])
    expect(await found({ action: 'units' })).toEqual([])
    const [from, until] = [2500, 1500].map((ms) => new Date(test.clock.nowMs() - ms).toISOString())
    expect(await found({ from, until })).toEqual(['reed'])
    expect(await found({ until: from })).toEqual(['olivia'])
    const nora = await test.signedIn('nora')
    const second = await nora.call(api.audit.list, { query: { until, limit: 1, offset: 1 } })
    expect([second.total, second.items.map(({ username }) => username)]).toEqual([2, ['olivia']])
  })

  it('does not find by a search what it does not show', async () => {
    await record({ ...olivia, objectId: 'cairo', result: 'Group not found.' })
    expect(await list('nora', { search: 'cairo' })).toEqual([])
    expect(await list('root', { search: 'cairo' })).toHaveLength(1)
  })

  it('is exported whole as a file without formulas that a spreadsheet runs', async () => {
    await addLines(1003)
    await record({ ...olivia, username: '=cmd|"/c calc"!A0', objectId: 'cairo', result: '-1+1' })
    const browser = await test.signedIn('nora')
    const url = pathOf(api.audit.export)
    const answer = await browser.send({ url, headers: { [APPLICATION_ID_HEADER]: 'test' } })
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    const lines = answer.body.trimEnd().split('\r\n')
    expect(lines[0]).toBe('\uFEFFTime,User,Action,Kind,ID,Name,Result,Address,Details,API key')
    expect(lines[2]).toBe(
      `2026-11-18T11:06:41.000Z,"'=cmd|""/c calc""!A0",groupAdministration.change,groups,,,'-1+1,192.0.2.1,{},`,
    )
    expect(
      lines.filter((one) => one.includes(',olivia,groupAdministration.change,groups,london,')),
    ).toHaveLength(1003)
    const few = await browser.call(api.audit.export, { query: { username: 'calc' } })
    expect(few.trimEnd().split('\r\n')).toHaveLength(2)
  })
})
