// What a new installation needs before anyone can use it: a customer, a group, and somebody who may sign in.
import { randomInt, randomUUID } from 'node:crypto'
import { demoGroups, demoInventories } from '@backhaul/contract/examples/demo'
import type { Core } from './core.ts'
import type { Settings } from './settings.ts'

/**
 * Does nothing where there are users already. The first group is the demo's or one of its own; machines beside core
 * join it. Answers the password of `admin` when it had to make one.
 */
export async function ensureInstallation(
  { inventories, groups, users }: Pick<Core, 'inventories' | 'groups' | 'users'>,
  { adminPassword, demo }: Pick<Settings, 'adminPassword' | 'demo'>,
): Promise<{ madePassword?: string }> {
  if (await users.hasAny()) return {}
  const home = demo > 0 ? demoInventories[0] : { id: 'home', name: 'Home' }
  const first = demo > 0 ? demoGroups[0] : { id: 'newsroom', inventoryId: home.id, name: 'Newsroom' }
  await inventories.ensure(home)
  await groups.ensure(first)
  const password = adminPassword ?? randomPassword()
  const isNew = await users.ensure({
    id: randomUUID(),
    username: 'admin',
    password,
    userType: 'superuser',
    firstName: 'Admin',
    lastName: 'Admin',
    inventories: [home.id],
    groups: [],
  })
  return isNew && adminPassword === undefined ? { madePassword: password } : {}
}

/** Twenty letters and digits that no typeface makes look alike, about 116 bits. */
function randomPassword(): string {
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'
  return Array.from({ length: 20 }, () => letters[randomInt(letters.length)]).join('')
}
