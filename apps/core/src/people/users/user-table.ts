import { Role, UserType } from '@backhaul/contract/define/role-schemas'
import type { User, UserContact } from '@backhaul/contract/nouns/users'
import { UserService } from '@backhaul/contract/nouns/users'
import type { Queries, UserRow } from '../../database/schema.ts'

/** A user as stored; groups and customers are joined by the feature. */
export type StoredUser = Omit<User, 'inventories' | 'groups' | 'features'> & {
  passwordHash: string
  passwordChangedMs: number
  passwordExpiresMs: number | null
}

/** Usernames and addresses are compared without case (GAP-USER-05). */
export const keyOf = (text: string): string => text.toLowerCase()

export async function findUser(db: Queries, id: string): Promise<StoredUser | undefined> {
  const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
  return row && userOf(row)
}

/** The user, locked against other writers until the transaction ends. */
export async function holdUser(db: Queries, id: string): Promise<StoredUser | undefined> {
  const row = await db
    .updateTable('users')
    .set((eb) => ({ username: eb.ref('username') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && userOf(row)
}

/** Whether there is another super user who may sign in; super users are locked until the transaction ends. */
export async function hasOtherSuperUser(db: Queries, id: string): Promise<boolean> {
  const all = await db
    .updateTable('users')
    .set((eb) => ({ username: eb.ref('username') }))
    .where('roles', 'like', '%"super_user"%')
    .returning(['id', 'active'])
    .execute()
  return all.some((one) => one.id !== id && one.active === 1)
}

export async function findByUsername(db: Queries, username: string): Promise<StoredUser | undefined> {
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where('username_key', '=', keyOf(username))
    .executeTakeFirst()
  return row && userOf(row)
}

export async function findByEmail(db: Queries, email: string): Promise<StoredUser | undefined> {
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where('email_key', '=', keyOf(email))
    .executeTakeFirst()
  return row && userOf(row)
}

export async function hasUsers(db: Queries): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** One of several at the same time succeeds; the others fail on the unique key. */
export async function claimFirst(db: Queries, userId: string): Promise<void> {
  await db.insertInto('installation').values({ key: 'first user', value: userId }).execute()
}

/** The e-mail addresses of active administrators of the customer and of its parent. */
export async function administratorAddresses(db: Queries, inventoryId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .innerJoin('user_inventories', 'user_inventories.user_id', 'users.id')
    .innerJoin('inventories', (join) =>
      join.on((eb) =>
        eb.or([
          eb('inventories.id', '=', eb.ref('user_inventories.inventory_id')),
          eb('inventories.parent_id', '=', eb.ref('user_inventories.inventory_id')),
        ]),
      ),
    )
    .where('inventories.id', '=', inventoryId)
    .where('users.active', '=', 1)
    .where('users.email', 'is not', null)
    .select(['users.email', 'users.roles'])
    .distinct()
    .orderBy('users.email')
    .execute()
  return rows.flatMap(({ email, roles }) =>
    email && (JSON.parse(roles) as string[]).includes('luc_admin') ? [email] : [],
  )
}

export async function inventoryIdsOf(db: Queries, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('user_inventories')
    .select('inventory_id as id')
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id)
}

export async function insertUser(
  db: Queries,
  user: StoredUser,
  inventories: readonly string[],
  nowMs: number,
): Promise<void> {
  await db
    .insertInto('users')
    .values({
      id: user.id,
      username: user.username,
      username_key: keyOf(user.username),
      ...columnsOf(user),
      sso: user.SSO ? 1 : 0,
      password_hash: user.passwordHash,
      password_changed_ms: user.passwordChangedMs,
      created_ms: nowMs,
    })
    .execute()
  if (inventories.length === 0) return
  await db
    .insertInto('user_inventories')
    .values(inventories.map((id) => ({ user_id: user.id, inventory_id: id })))
    .execute()
}

export async function updateContact(db: Queries, id: string, contact: UserContact): Promise<void> {
  await db.updateTable('users').set(contactColumns(contact)).where('id', '=', id).execute()
}

const contactColumns = ({ firstName, lastName, email, phone }: UserContact) => ({
  first_name: firstName,
  last_name: lastName,
  email: email || null,
  email_key: email ? keyOf(email) : null,
  contact: JSON.stringify({ phone }),
})

/** The columns of a user that can be changed, apart from the password. */
export const columnsOf = (
  user: StoredUser,
): Omit<
  UserRow,
  'id' | 'username' | 'username_key' | 'sso' | 'password_hash' | 'password_changed_ms' | 'created_ms'
> => ({
  ...contactColumns(user),
  user_type: user.userType,
  roles: JSON.stringify(user.roles),
  label: user.label,
  active: user.active ? 1 : 0,
  oda: user.ODA ? 1 : 0,
  password_policy: user.passwordExpirationPolicy,
  password_expires_ms: user.passwordExpiresMs,
  consents: JSON.stringify(user.updateConsent),
  consent_dates: JSON.stringify(user.updateConsentDates),
  services: JSON.stringify(user.services),
})

const services = UserService.array()
const roles = Role.array()

export function userOf(row: UserRow): StoredUser {
  const { phone } = JSON.parse(row.contact) as { phone: string }
  const email = row.email ?? ''
  return {
    id: row.id,
    username: row.username,
    firstName: row.first_name,
    lastName: row.last_name,
    email,
    phone,
    userType: UserType.parse(row.user_type),
    label: row.label,
    active: row.active === 1,
    SSO: row.sso === 1,
    ODA: row.oda === 1,
    passwordExpirationPolicy: row.password_policy as User['passwordExpirationPolicy'],
    passwordExpirationDate:
      row.password_expires_ms === null ? null : new Date(row.password_expires_ms).toISOString(),
    updateConsent: JSON.parse(row.consents) as Record<string, boolean>,
    updateConsentDates: JSON.parse(row.consent_dates) as Record<string, string>,
    services: services.parse(JSON.parse(row.services)),
    roles: roles.parse(JSON.parse(row.roles)),
    contact: { email, phone, firstName: row.first_name, lastName: row.last_name },
    passwordHash: row.password_hash,
    passwordChangedMs: row.password_changed_ms,
    passwordExpiresMs: row.password_expires_ms,
  }
}
