// Queries of user administration: pages of users, changes of one, earlier passwords, licences.
import type { Page } from '@backhaul/contract/define/answers'
import type { UserKey } from '@backhaul/contract/nouns/users'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { byName, contains, sorted } from '../../database/dialect.ts'
import { countOf, fromNearerEnd, type Paging, type Window } from '../../database/paging.ts'
import { keptCount, largestCounts } from '../../database/row-counts.ts'
import type { Queries } from '../../database/schema.ts'
import { groupInScope, inventoryInScope, readsInventory, type Scope } from '../../database/scope.ts'
import { findsFew, isFewFound, isIndexed, mayContain } from '../../database/search.ts'
import { columnsOf, keyOf, type StoredUser, userOf } from './user-table.ts'

const columns = {
  username: 'username',
  firstName: 'first_name',
  lastName: 'last_name',
  email: 'email',
  label: 'label',
  userType: 'user_type',
} as const

/** A name is found in all three and sorted by the one that is unique. */
const foundIn = (key: UserKey) =>
  key === 'name' ? (['username', 'first_name', 'last_name'] as const) : [columns[key]]
const sortedBy = (key: UserKey) => (key === 'name' ? 'username' : columns[key])

const isIndexedBy = (key: UserKey) => foundIn(key).every((column) => isIndexed('users', column))

/** Whether a user is found; every user is when nothing is searched for. */
async function isFoundIn(db: Queries, search: Paging<UserKey>['search']): Promise<RawBuilder<boolean>> {
  if (search === undefined) return sql<boolean>`true`
  const { key, text } = search
  // The same as in the index: nothing is found in a field that is not set.
  const found = foundIn(key).map((column) => contains(db, sql.ref(`users.${column}`), text))
  const isFound = sql<boolean>`(${sql.join(found, sql` or `)})`
  if (!isIndexedBy(key)) return isFound
  return sql<boolean>`(${await mayContain(db, 'users', text, [sql.ref('users.id')])} and ${isFound})`
}

/** Users of the caller's customers, or of one of them. */
export async function pageOfUsers(
  db: Queries,
  scope: Scope,
  inventoryId: string | undefined,
  { search, sort, offset, limit }: Paging<UserKey>,
): Promise<Page<StoredUser>> {
  const among = await countVisible(db, scope, inventoryId)
  const isFound = await isFoundIn(db, search)
  const indexed = search !== undefined && isIndexedBy(search.key) ? search : undefined
  const order = orderOf(db, sort.key)
  const looksUp = !isEveryUser(scope, inventoryId) && among > fewUsers
  if (looksUp && indexed && (await findsFew(db, 'users', indexed.text, isFound))) {
    const found = visibleUsers(db, scope, inventoryId, 'found').where(isFound)
    return await pageOfFew(db, found, [order, sort.direction], { offset, limit })
  }
  const found = visibleUsers(db, scope, inventoryId, among <= fewUsers ? 'members' : 'all').where(isFound)
  const total = search === undefined ? among : await countOf(found)
  const reading = fromNearerEnd({ offset, limit }, total)
  const direction = reading.read(sort.direction)
  const isFew = await isFewFound(db, indexed && 'users', search?.text, total)
  const rows = await found
    .selectAll()
    .orderBy(isFew ? sorted(db, order) : order, direction)
    .orderBy('id', direction)
    .limit(reading.limit)
    .offset(reading.offset)
    .execute()
  return { items: reading.inOrder(rows).map(userOf), total, offset, limit }
}

function orderOf(db: Queries, key: UserKey): RawBuilder<string> {
  const column = sortedBy(key)
  return byName(
    db,
    column === 'email' ? sql<string>`coalesce(${sql.ref(column)}, '')` : sql.ref<string>(column),
  )
}

/**
 * A page of few found users, each with its memberships looked up. One statement finds, orders and counts them by id alone, and
 * reads the other columns of the users of the page: with whole rows throughout it takes half as long again on PostgreSQL.
 */
async function pageOfFew(
  db: Queries,
  found: ReturnType<typeof visibleUsers>,
  [order, direction]: [RawBuilder<string>, 'asc' | 'desc'],
  { offset, limit }: Window,
): Promise<Page<StoredUser>> {
  const rows = await db
    .with(
      (cte) => cte('found').materialized(),
      () => found.select(['users.id', order.as('place')]),
    )
    .selectFrom((eb) =>
      eb
        .selectFrom('found')
        .select(['found.id', 'found.place'])
        .orderBy('found.place', direction)
        .orderBy('found.id', direction)
        .limit(limit)
        .offset(offset)
        .as('page'),
    )
    .innerJoin('users', 'users.id', 'page.id')
    .selectAll('users')
    .select((eb) =>
      eb
        .selectFrom('found')
        .select((of) => of.fn.countAll<number | string>().as('count'))
        .as('total'),
    )
    .orderBy('page.place', direction)
    .orderBy('users.id', direction)
    .execute()
  // No row of a page after the last one has the number.
  const total = rows[0] ? Number(rows[0].total) : await countOf(found)
  return { items: rows.map(userOf), total, offset, limit }
}

export async function findVisibleUser(
  db: Queries,
  scope: Scope,
  id: string,
): Promise<StoredUser | undefined> {
  const row = await visibleUsers(db, scope).selectAll().where('id', '=', id).executeTakeFirst()
  return row && userOf(row)
}

const isEveryUser = (scope: Scope, inventoryId: string | undefined): boolean =>
  scope.everything && inventoryId === undefined

/** Up to this many users of a customer are read by their memberships, and then put in order. */
const fewUsers = 1000

/**
 * The users that are looked for in a scope: its few members, all users in the order of a list, or few that a search finds.
 */
type Sought = 'members' | 'all' | 'found'

/**
 * Users of the scope, or only those of one inventory of it. Unless its members are few, users are looked up by their own
 * id: a customer may have a million.
 */
function visibleUsers(db: Queries, scope: Scope, inventoryId?: string, sought: Sought = 'all') {
  const users = db.selectFrom('users')
  if (isEveryUser(scope, inventoryId)) return users
  const isMember = isMembership(scope, inventoryId)
  if (sought === 'members')
    return users.where('users.id', 'in', (eb) =>
      eb.selectFrom('user_inventories').select('user_id').where(isMember),
    )
  return users.where((eb) =>
    eb.exists(
      eb
        .selectFrom('user_inventories')
        .select('user_id')
        .whereRef('user_inventories.user_id', '=', 'users.id')
        .where(isMember)
        // PostgreSQL runs what has an offset for each row. Else it joins the memberships of everyone where it takes the found
        // for more than they are: it estimates from a hundred names, and one of them counts for a hundredth of all users.
        .$if(sought === 'found', (memberships) => memberships.limit(1).offset(0)),
    ),
  )
}

/** As many as visibleUsers has rows, counted without reading the users. */
async function countVisible(db: Queries, scope: Scope, inventoryId: string | undefined): Promise<number> {
  if (isEveryUser(scope, inventoryId)) return await keptCount(db, 'users')
  if (inventoryId !== undefined)
    return readsInventory(scope, inventoryId) ? await keptCount(db, 'user_inventories', [[inventoryId]]) : 0
  const [largest, other] = await largestCounts(db, 'user_inventories', 2, (owner) =>
    inventoryInScope(scope, owner),
  )
  if (!largest) return 0
  if (!other) return largest.count
  // A user of several of them counts once.
  const { count } = await db
    .selectFrom('user_inventories')
    .select((eb) => eb.fn.count<number | string>('user_id').distinct().as('count'))
    .where((eb) => inventoryInScope(scope, eb.ref('inventory_id')))
    .where('inventory_id', '<>', largest.owner)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('user_inventories as held')
            .select('held.user_id')
            .whereRef('held.user_id', '=', 'user_inventories.user_id')
            .where('held.inventory_id', '=', largest.owner),
        ),
      ),
    )
    .executeTakeFirstOrThrow()
  return largest.count + Number(count)
}

/** Whether a row of user_inventories is in the scope and, where one is given, of that inventory. */
function isMembership(scope: Scope, inventoryId: string | undefined): Expression<SqlBool> {
  const column = sql.ref<string>('user_inventories.inventory_id')
  const isInScope = inventoryInScope(scope, column)
  return inventoryId === undefined ? isInScope : sql<SqlBool>`(${isInScope} and ${column} = ${inventoryId})`
}

/** Memberships of some users, as ids by user. */
export async function membershipsOf(
  db: Queries,
  scope: Scope,
  userIds: readonly string[],
): Promise<{ inventories: Map<string, string[]>; groups: Map<string, string[]> }> {
  if (userIds.length === 0) return { inventories: new Map(), groups: new Map() }
  const [inventories, groups] = await Promise.all([
    db
      .selectFrom('user_inventories')
      .select(['user_id as userId', 'inventory_id as id'])
      .where('user_id', 'in', userIds)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('user_groups')
      .innerJoin('groups', 'groups.id', 'user_groups.group_id')
      .select(['user_groups.user_id as userId', 'groups.id'])
      .where('user_groups.user_id', 'in', userIds)
      .where((eb) =>
        groupInScope(scope, { id: eb.ref('groups.id'), inventoryId: eb.ref('groups.inventory_id') }),
      )
      .orderBy('groups.id')
      .execute(),
  ])
  const byUser = (pairs: { userId: string; id: string }[]) =>
    new Map(
      [...Map.groupBy(pairs, (pair) => pair.userId)].map(([user, all]) => [user, all.map(({ id }) => id)]),
    )
  return { inventories: byUser(inventories), groups: byUser(groups) }
}

/** The unique fields of a user that another user has already. */
export async function takenFields(
  db: Queries,
  { id, username, email }: Pick<StoredUser, 'id' | 'username' | 'email'>,
): Promise<{ username: boolean; email: boolean }> {
  const rows = await db
    .selectFrom('users')
    .select(['username_key', 'email_key'])
    .where('id', '!=', id)
    .where((eb) => eb.or([eb('username_key', '=', keyOf(username)), eb('email_key', '=', keyOf(email))]))
    .execute()
  return {
    username: rows.some((row) => row.username_key === keyOf(username)),
    email: email !== '' && rows.some((row) => row.email_key === keyOf(email)),
  }
}

export async function updateUser(db: Queries, user: StoredUser): Promise<void> {
  await db.updateTable('users').set(columnsOf(user)).where('id', '=', user.id).execute()
}

export async function replaceInventories(db: Queries, userId: string, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('user_inventories').where('user_id', '=', userId).execute()
  if (ids.length === 0) return
  await db
    .insertInto('user_inventories')
    .values(ids.map((id) => ({ user_id: userId, inventory_id: id })))
    .execute()
}

export async function deleteUser(db: Queries, id: string): Promise<void> {
  await db.deleteFrom('users').where('id', '=', id).execute()
}

/** The newest first. */
export async function pastPasswords(db: Queries, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('past_passwords')
    .select('password_hash as hash')
    .where('user_id', '=', userId)
    .orderBy('changed_ms', 'desc')
    .execute()
  return rows.map((row) => row.hash)
}

/** Stores a new password, and keeps `kept` of the earlier ones. */
export async function replacePassword(
  db: Queries,
  user: StoredUser,
  next: { hash: string; nowMs: number; expiresMs: number | null; kept: number },
): Promise<void> {
  await db
    .insertInto('past_passwords')
    .values({ user_id: user.id, password_hash: user.passwordHash, changed_ms: next.nowMs })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const forgotten = (await pastPasswords(db, user.id)).slice(next.kept)
  if (forgotten.length > 0)
    await db
      .deleteFrom('past_passwords')
      .where('user_id', '=', user.id)
      .where('password_hash', 'in', forgotten)
      .execute()
  await db
    .updateTable('users')
    .set({ password_hash: next.hash, password_changed_ms: next.nowMs, password_expires_ms: next.expiresMs })
    .where('id', '=', user.id)
    .execute()
}

/**
 * True when an organization of one of these inventories has more users than it may. Called inside the transaction
 * that adds them; its rows are locked first, so that two at a time cannot both take the last licence.
 */
export async function hasTooManyUsers(db: Queries, inventoryIds: readonly string[]): Promise<boolean> {
  const organizations = await db
    .updateTable('organizations')
    .set((eb) => ({ max_users: eb.ref('max_users') }))
    .where('max_users', 'is not', null)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('organization_inventories')
        .select('organization_id')
        .where('inventory_id', 'in', inventoryIds),
    )
    .returning(['id', 'max_users as maxUsers'])
    .execute()
  for (const { id, maxUsers } of organizations) {
    const { total } = await db
      .selectFrom('user_inventories')
      .innerJoin('organization_inventories as of', 'of.inventory_id', 'user_inventories.inventory_id')
      .select((eb) => eb.fn.count<number | string>('user_id').distinct().as('total'))
      .where('of.organization_id', '=', id)
      .executeTakeFirstOrThrow()
    if (Number(total) > (maxUsers ?? 0)) return true
  }
  return false
}
