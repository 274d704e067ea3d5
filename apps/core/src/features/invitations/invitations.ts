// Invitations: codes that admit a unit to a group for some days, told to whoever asks or sent by e-mail.
import {
  type InvitationLetter,
  type InvitationPeriod,
  invitationPeriodMs,
} from '@backhaul/contract/nouns/invitations'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { Devices } from '../devices/devices.ts'
import type { Groups } from '../groups/groups.ts'
import type { Outbox } from '../outbox/outbox.ts'

export interface Invited {
  inventoryId: string
  code: string
  expiresMs: number
}

interface Inviter {
  scope: Scope
  userId: string
}

export interface Invitations {
  /** Throws NotFound for a group that the caller may not know of. */
  create(inviter: Inviter, groupId: string, period: InvitationPeriod): Promise<Invited>
  /** All letters or none: they are written down together. */
  email(inviter: Inviter, groupId: string, letter: InvitationLetter): Promise<{ inventoryId: string }>
}

interface Needs {
  db: Database
  groups: Groups
  pairing: Devices['pairing']
  outbox: Outbox
}

export function createInvitations({ db, groups, pairing, outbox }: Needs): Invitations {
  return {
    async create({ scope, userId }, groupId, period) {
      const { id, inventoryId } = await groups.get(scope, groupId)
      return { inventoryId, ...(await pairing.make(id, userId, invitationPeriodMs[period])) }
    },
    async email({ scope, userId }, groupId, { recipients, period, text }) {
      const { id, inventoryId, name } = await groups.get(scope, groupId)
      await db.transaction().execute(async (transaction) => {
        const each = [...new Set(recipients)]
        const ttlMs = invitationPeriodMs[period]
        const codes = await pairing.makeSeveral(transaction, each.length, id, userId, ttlMs)
        for (const [at, { code, expiresMs }] of codes.entries()) {
          const recipient = each[at] ?? ''
          const subject = `Invitation to ${name}`
          await outbox.post(
            { inventoryId, recipient, subject, text: letterText(name, text, code, expiresMs) },
            transaction,
          )
        }
      })
      return { inventoryId }
    },
  }
}

const letterText = (group: string, text: string, code: string, expiresMs: number): string =>
  [
    ...(text === '' ? [] : [text, '']),
    `Your unit can join the group ${group}.`,
    `Pairing code: ${code}`,
    `It admits one unit until ${new Date(expiresMs).toUTCString()}.`,
  ].join('\n')
