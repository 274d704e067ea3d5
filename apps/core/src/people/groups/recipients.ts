// The recipients of a group's alerts by e-mail: named by administrators, verified by the owner of the address.
import { randomBytes } from 'node:crypto'
import { Conflict, NotFound, TooMany } from '@backhaul/contract/define/errors'
import { verifyPath } from '@backhaul/contract/nouns/open-paths'
import {
  type EmailRecipient,
  VERIFICATION_LASTS_MS,
  VERIFICATION_PAUSE_S,
} from '@backhaul/contract/nouns/recipients'
import type { Clock } from '@backhaul/runtime/clock'
import type { Database, Queries } from '../../database/schema.ts'
import { everything, type Scope } from '../../database/scope.ts'
import { hashSecret } from '../../database/secrets.ts'
import type { GroupRecipientRow } from '../../database/settings-schema.ts'
import type { Audit } from '../../platform/audit/audit.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { GroupFacts } from './group-table.ts'
import * as table from './recipient-table.ts'

/** A recipient to whom alerts may be sent now. */
export interface DueRecipient {
  groupId: string
  group: string
  inventoryId: string
  email: string
  /** The time at which the last alerts were sent. */
  mailedMs: number
}

export interface Recipients {
  /** Sets the recipients to exactly these; each new one is sent a link. Undefined changes nothing. */
  set(
    transaction: Queries,
    group: Pick<GroupFacts, 'id' | 'inventoryId' | 'name'>,
    emails: readonly string[] | undefined,
    origin: string,
  ): Promise<void>
  /** Throws NotFound, Conflict for one that is verified, and TooMany right after another link. */
  sendVerification(
    scope: Scope,
    groupId: string,
    email: string,
    origin: string,
  ): Promise<EmailRecipient & { inventoryId: string }>
  /** Throws NotFound for an unknown or replaced link, Conflict for an expired one. */
  verify(token: string, address: string): Promise<{ email: string; group: string }>
  /** Verified ones to whom nothing was sent since then. */
  silentSince(sinceMs: number): Promise<DueRecipient[]>
  /** Records that alerts are sent now, in the transaction that stores the e-mail. */
  markSent(transaction: Queries, recipient: DueRecipient): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  audit: Audit
  outbox: Outbox
  get(scope: Scope, groupId: string): Promise<GroupFacts>
}

const keyOf = (email: string): string => email.toLowerCase()
const lastsHours = VERIFICATION_LASTS_MS / 3_600_000

type Link = Pick<GroupRecipientRow, 'token_hash' | 'link_sent_ms'>

export function createRecipients({ db, clock, audit, outbox, get }: Needs): Recipients {
  function freshLink(): { token: string; link: Link } {
    const token = randomBytes(24).toString('base64url')
    return { token, link: { token_hash: hashSecret(token), link_sent_ms: clock.nowMs() } }
  }

  async function postLink(
    transaction: Queries,
    { name, inventoryId }: Pick<GroupFacts, 'name' | 'inventoryId'>,
    recipient: string,
    url: string,
  ): Promise<void> {
    const subject = `Alerts of ${name}: verify your address`
    await outbox.post({ inventoryId, recipient, subject, text: emailText(name, url) }, transaction)
  }

  return {
    async set(transaction, group, emails, origin) {
      if (emails === undefined) return
      const requested = new Map(emails.map((email) => [keyOf(email), email]))
      const before = await table.recipientRows(transaction, group.id)
      const gone = before.map((row) => row.email_key).filter((key) => !requested.has(key))
      await table.deleteRecipients(transaction, group.id, gone)
      for (const [key, email] of requested) {
        if (before.some((row) => row.email_key === key)) continue
        const { token, link } = freshLink()
        const row = { group_id: group.id, email_key: key, email, verified_ms: null, mailed_ms: 0, ...link }
        if (await table.insertRecipient(transaction, row))
          await postLink(transaction, group, email, origin + verifyPath(token))
      }
    },
    async sendVerification(scope, groupId, email, origin) {
      const group = await get(scope, groupId)
      const rows = await table.recipientRows(db, groupId)
      const row = rows.find((one) => one.email_key === keyOf(email))
      if (!row) throw new NotFound('recipient')
      if (row.verified_ms !== null) throw new Conflict('recipient.verified')
      const pauseMs = VERIFICATION_PAUSE_S * 1000
      const waitMs = Math.min(pauseMs, row.link_sent_ms + pauseMs - clock.nowMs())
      if (waitMs > 0) throw new TooMany(Math.ceil(waitMs / 1000))
      const { token, link } = freshLink()
      await db.transaction().execute(async (transaction) => {
        await table.updateRecipient(transaction, row, link)
        await postLink(transaction, group, row.email, origin + verifyPath(token))
      })
      return { ...table.shownRecipient({ ...row, ...link }), inventoryId: group.inventoryId }
    },
    async verify(token, address) {
      const row = await table.recipientByToken(db, hashSecret(token))
      if (!row) throw new NotFound('link')
      const { email, group, group_id: groupId, inventoryId } = row
      if (row.verified_ms !== null) return { email, group }
      const nowMs = clock.nowMs()
      if (nowMs >= row.link_sent_ms + VERIFICATION_LASTS_MS) throw new Conflict('recipient.expired')
      await table.updateRecipient(db, row, { verified_ms: nowMs })
      await audit.record({
        userId: null,
        username: email,
        scope: everything,
        address,
        action: 'recipients.verify',
        objectKind: 'groups',
        objectId: groupId,
        inventoryId,
        details: { email },
        result: 'done',
      })
      return { email, group }
    },
    async silentSince(sinceMs) {
      const rows = await table.recipientsSilentSince(db, sinceMs, clock.nowMs())
      return rows.map(({ group_id: groupId, group, inventoryId, email, mailed_ms: mailedMs }) => ({
        groupId,
        group,
        inventoryId,
        email,
        mailedMs: mailedMs > clock.nowMs() ? sinceMs : mailedMs,
      }))
    },
    markSent: (transaction, { groupId, email }) =>
      table.updateRecipient(
        transaction,
        { group_id: groupId, email_key: keyOf(email) },
        { mailed_ms: clock.nowMs() },
      ),
  }
}

const emailText = (group: string, url: string): string =>
  [
    `An administrator of ${group} wants to send the alerts of its units to this address.`,
    '',
    `To receive them, open this link within ${lastsHours} hours:`,
    url,
    '',
    'Without that nothing is sent here, and you can ignore this e-mail.',
  ].join('\n')
