// Creates the first objects of a new installation: a customer, a group, and a user who may sign in.
import { randomInt, randomUUID } from 'node:crypto'
import { demoGroups, demoInventories } from '@backhaul/contract/examples/demo'
import type { Settings } from '../settings.ts'
import type { Core } from './core.ts'

/**
 * Does nothing where there are users already. The first group is the demo's or one of its own; devices on core's machine
 * join it. With a password given, or in the demo, the first super user is `admin`, and a generated password
 * is answered; else the setup code admits the first super user in the console.
 */
export async function ensureInstallation(
  { inventories, groups, users, signIns }: Pick<Core, 'inventories' | 'groups' | 'users' | 'signIns'>,
  { adminPassword, setupCode, demo }: Pick<Settings, 'adminPassword' | 'setupCode' | 'demo'>,
): Promise<{ madePassword?: string; setupCode?: string }> {
  if (await users.hasAny()) return {}
  const home = demo > 0 ? demoInventories[0] : { id: 'home', name: 'Home' }
  const first = demo > 0 ? demoGroups[0] : { id: 'newsroom', inventoryId: home.id, name: 'Newsroom' }
  await inventories.ensure(home)
  await groups.ensure(first)
  if (adminPassword === undefined && demo === 0) {
    const code = setupCode ?? randomPassword()
    signIns.firstUser.offer(code, [home.id])
    return { setupCode: code }
  }
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

/** Twenty letters and digits without similar ones, about 116 bits. */
function randomPassword(): string {
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'
  return Array.from({ length: 20 }, () => letters[randomInt(letters.length)]).join('')
}
