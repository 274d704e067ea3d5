// What a person keeps of their own data: names and contact, read each time and saved field by field.
import { client } from '@backhaul/contract/api/client'
import { users } from '@backhaul/contract/api/users'
import type { UserContact } from '@backhaul/contract/nouns/users'
import { call } from '../../doors/api.ts'
import { useRead } from '../../doors/reads.ts'
import { noteOwnUser } from '../../session/sign-ins/sign-ins.ts'

/** Read when the form opens, so that it never shows what somebody else changed meanwhile. */
export const useOwnContact = () => useRead(client.contact, {}, { isStart: true })

/** Only what differs is sent, and the page knows the person by the new names at once. */
export async function saveOwnContact(before: UserContact, wanted: UserContact): Promise<void> {
  const changed = Object.entries(wanted).filter(
    ([name, value]) => before[name as keyof UserContact] !== value,
  )
  noteOwnUser(await call(users.updateOwn, { body: Object.fromEntries(changed) }))
}
