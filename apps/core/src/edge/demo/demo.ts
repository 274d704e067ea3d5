// The demo: two customers with groups and users, to which the simulator adds units and servers.
import {
  DEMO_PASSWORD,
  demoGroups,
  demoInventories,
  demoPeople,
  demoSignIns,
} from '@backhaul/contract/examples/demo'
import type { Groups } from '../../people/groups/groups.ts'
import type { Users } from '../../people/users/users.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'

/** A user whom the start screen may show, with their password. */
export interface DemoSignIn {
  username: string
  password: string
  role: string
}

/**
 * Adds what is missing; changes by users since the first start are kept. The groups' own registration keys are
 * random as always: simulated devices run on the same machine and join with the launcher's key and the group's name
 * (localRegistrationKey in the contract), so that no key of the demo is published.
 */
export async function seedDemo(
  needs: { inventories: Inventories; groups: Groups; users: Users },
  password = DEMO_PASSWORD,
): Promise<DemoSignIn[]> {
  for (const { id, name, region } of demoInventories) await needs.inventories.ensure({ id, name, region })
  for (const group of demoGroups) await needs.groups.ensure({ ...group, unitAutoAssociation: false })
  const people = demoPeople.map((person) => ({
    ...person,
    id: idOf(person),
    email: `${person.username}@demo.example`,
  }))
  await needs.users.ensureAll(people, password)
  if (password !== DEMO_PASSWORD)
    await needs.users.administration.replaceKnownPassword(demoPeople.map(idOf), DEMO_PASSWORD, password)
  return demoSignIns.map(({ username, userType }) => ({ username, password, role: userType }))
}

const idOf = ({ username }: { username: string }) => `demo-${username}`

/** Names of users of a demo, also a former one, whose password is in the documentation. */
export function withPublishedPassword(users: Users): Promise<string[]> {
  return users.namesWithPassword(demoPeople.map(idOf), DEMO_PASSWORD)
}
