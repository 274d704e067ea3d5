// Pages of many users, for administrators of one customer and of several.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { upsertMany } from '../../database/dialect.ts'
import { everything, type Scope } from '../../database/scope.ts'
import { engines } from '../../database/testing.ts'
import { createTestCore, type TestCore } from '../../testing.ts'
import { pageOfUsers } from './administered-table.ts'

/** More than are read by their memberships. */
const count = 1200
const numbers = Array.from({ length: count }, (_, n) => n)
const nameOf = (n: number) => `Many-${String(n).padStart(4, '0')}`

const administrator = (ofUser: string, ...inventories: string[]): Scope => ({
  everything: false,
  inventories,
  customers: [{ ofUser, withSecondaries: true }],
  wholeInventories: true,
  everyGroup: true,
  readsGroup: () => false,
})
const ofNorth = administrator('us-nora', 'north')
const ofSouth = administrator('us-sam', 'south')
/** The first of the many is of both customers. */
const ofBoth = administrator('many-0', 'south', 'north')

describe.each(engines)('pages of many users on %s', (engine) => {
  let test: TestCore
  beforeAll(async () => {
    test = await createTestCore(engine)
    const [first] = await test.db.selectFrom('users').selectAll().limit(1).execute()
    if (!first) throw new Error('no user')
    const named = (n: number) => ({
      ...first,
      id: `many-${n}`,
      username: nameOf(n),
      username_key: `many-${n}`,
    })
    await upsertMany(
      test.db,
      'users',
      ['id'],
      numbers.map((n) => ({ ...named(n), email: null, email_key: null })),
    )
    // All are of North, every hundredth of South too.
    const members = numbers.flatMap((n) => [
      { user_id: `many-${n}`, inventory_id: 'north' },
      ...(n % 100 === 0 ? [{ user_id: `many-${n}`, inventory_id: 'south' }] : []),
    ])
    await upsertMany(test.db, 'user_inventories', ['user_id', 'inventory_id'], members)
  })
  afterAll(() => test.remove())

  const page = async (scope: Scope, offset: number, text?: string, inventory?: string) => {
    const search = text === undefined ? undefined : { key: 'name' as const, text }
    const sort = { key: 'name' as const, direction: 'asc' as const }
    const { items, total } = await pageOfUsers(test.db, scope, inventory, { search, sort, limit: 5, offset })
    return [total, ...items.map(({ username }) => username)]
  }
  const names = (...wanted: number[]) => wanted.map(nameOf)

  it('count and show each user of several customers once', async () => {
    // Five users of North and Sam of South exist already.
    expect(await page(ofNorth, 0)).toEqual([count + 5, ...names(0, 1, 2, 3, 4)])
    expect(await page(ofBoth, 0)).toEqual([count + 6, ...names(0, 1, 2, 3, 4)])
    expect(await page(ofSouth, 0)).toEqual([13, ...names(0, 100, 200, 300, 400)])
    expect(await page(ofSouth, 10)).toEqual([13, ...names(1000, 1100), 'sam'])
    expect(await page(ofBoth, count)).toEqual([count + 6, 'nora', 'olivia', 'reed', 'root', 'sam'])
    expect(await page(administrator('us-none'), 0)).toEqual([0])
    expect(await page(everything, count + 5)).toEqual([count + 6, 'vera'])
  })

  it('are those of one customer where one is named', async () => {
    expect(await page(ofBoth, 10, undefined, 'south')).toEqual([13, ...names(1000, 1100), 'sam'])
    expect(await page(ofNorth, 0, undefined, 'south')).toEqual([0])
    expect(await page(everything, count, undefined, 'north')).toEqual([
      count + 5,
      'nora',
      'olivia',
      'reed',
      'root',
      'vera',
    ])
  })

  it('find a part of a name among those alone', async () => {
    expect(await page(ofNorth, 0, '-110')).toEqual([10, ...names(1100, 1101, 1102, 1103, 1104)])
    expect(await page(ofSouth, 0, '-110')).toEqual([1, nameOf(1100)])
    expect(await page(everything, 5, 'ANY-110')).toEqual([10, ...names(1105, 1106, 1107, 1108, 1109)])
    expect(await page(ofNorth, 1195, 'any-')).toEqual([count, ...names(1195, 1196, 1197, 1198, 1199)])
    expect(await page(ofNorth, 5, '-110')).toEqual([10, ...names(1105, 1106, 1107, 1108, 1109)])
    expect(await page(ofNorth, 50, '-110')).toEqual([10])
    expect(await page(ofBoth, 0, '-110', 'north')).toEqual([10, ...names(1100, 1101, 1102, 1103, 1104)])
    expect(await page(ofNorth, 0, '/%')).toEqual([0])
    expect(await page(ofSouth, 0, 'any-')).toEqual([12, ...names(0, 100, 200, 300, 400)])
  })
})
