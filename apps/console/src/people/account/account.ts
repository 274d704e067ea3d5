// A user's own data: names, contact and consents, read each time and saved field by field.
import { client } from '@backhaul/contract/api/client'
import { users } from '@backhaul/contract/api/users'
import {
  type Consent,
  consents,
  type OwnUserChange,
  type User,
  type UserContact,
} from '@backhaul/contract/nouns/users'
import { call } from '../../doors/api.ts'
import { useRead } from '../../doors/reads.ts'
import { changedFields } from '../../kit/changed-fields.ts'
import { noteOwnUser } from '../../session/sign-ins/sign-ins.ts'

/** Read when the form opens, so that it never shows what another user changed meanwhile. */
export const useOwnContact = () => useRead(client.contact, {}, { isStart: true })

/** The fields of the form. A consent that was never given is one that is not given. */
export interface OwnData extends UserContact {
  updateConsent: Record<Consent, boolean>
}

export const ownDataOf = (contact: UserContact, { updateConsent }: User): OwnData => ({
  ...contact,
  updateConsent: Object.fromEntries(
    consents.map((name) => [name, updateConsent[name] ?? false]),
  ) as OwnData['updateConsent'],
})

export function changesOf(before: OwnData, { updateConsent, ...contact }: OwnData): OwnUserChange {
  const decided = changedFields(before.updateConsent, updateConsent)
  return {
    ...changedFields(before, contact),
    ...(Object.keys(decided).length > 0 && { updateConsent: decided }),
  }
}

/** The page knows the user by the new names at once. */
export async function saveOwnData(body: OwnUserChange): Promise<void> {
  noteOwnUser(await call(users.updateOwn, { body }))
}
