// What a new installation needs before anyone can use it: a customer, a group, and somebody who may sign in.
import { randomInt, randomUUID } from 'node:crypto'
import type { Core } from './core.ts'
import type { Settings } from './settings.ts'

/** Does nothing where there are users already. Answers the password of `admin` when it had to make one. */
export async function ensureInstallation(
  { inventories, groups, users }: Pick<Core, 'inventories' | 'groups' | 'users'>,
  { adminPassword }: Pick<Settings, 'adminPassword'>,
): Promise<{ madePassword?: string }> {
  if (await users.hasAny()) return {}
  const inventoryId = 'home'
  await inventories.ensure({ id: inventoryId, name: 'Home' })
  await groups.ensure({ id: 'newsroom', inventoryId, name: 'Newsroom' })
  const password = adminPassword ?? randomPassword()
  const isNew = await users.ensure({
    id: randomUUID(),
    username: 'admin',
    password,
    userType: 'superuser',
    firstName: 'Admin',
    lastName: 'Admin',
    inventories: [inventoryId],
    groups: [],
  })
  return isNew && adminPassword === undefined ? { madePassword: password } : {}
}

/** Twenty letters and digits that no typeface makes look alike, about 116 bits. */
function randomPassword(): string {
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'
  return Array.from({ length: 20 }, () => letters[randomInt(letters.length)]).join('')
}
