// The outbox: e-mail is written down first and handed to the mail server after, so that none is lost or pretended.
import { randomUUID } from 'node:crypto'
import { Conflict, NotFound } from '@backhaul/contract/define/errors'
import {
  type Mail,
  OUTBOX_PERIOD_MS,
  OUTBOX_TRIES,
  type Outbox as OutboxAnswer,
  outboxPauseMs,
} from '@backhaul/contract/nouns/outbox'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { createTransport } from 'nodemailer'
import type { z } from 'zod'
import type { Database, Queries } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import {
  deleteMail,
  dueMails,
  findMail,
  insertMail,
  type MailPage,
  mailPage,
  updateMail,
} from './outbox-table.ts'

export interface Letter {
  /** The customer that it concerns; null for the installation itself. */
  inventoryId: string | null
  recipient: string
  subject: string
  text: string
}

export interface Outbox {
  /** Written with what it belongs to, when that is a transaction. */
  post(letter: Letter, db?: Queries): Promise<void>
  list(scope: Scope, page: MailPage): Promise<z.infer<typeof OutboxAnswer>>
  /** Throws NotFound, and Conflict for one that went out. */
  retry(scope: Scope, id: string): Promise<void>
  discard(scope: Scope, id: string): Promise<void>
  start(): void
  stop(): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  /** Undefined: no mail server is set, and everything waits. */
  mail: { server: string; from: string } | undefined
}

const atOnce = 20

export function createOutbox({ db, clock, log, mail }: Needs): Outbox {
  const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
  const transport = mail && createTransport({ url: mail.server, ...timeouts })
  let timer: Timer | undefined
  let round: Promise<void> | undefined

  async function deliver(letter: Mail): Promise<void> {
    const tries = letter.tries + 1
    try {
      await transport?.sendMail({
        from: mail?.from,
        to: { name: '', address: letter.recipient },
        subject: letter.subject,
        text: letter.text,
        // A letter that went out twice after a crash can be known by it.
        messageId: `<${letter.id}@backhaul>`,
      })
      await updateMail(db, letter.id, { state: 'sent', tries, fault: '', sent_ms: clock.nowMs() })
    } catch (error) {
      const { message, responseCode = 0 } = error as Error & { responseCode?: number }
      const isOver = tries >= OUTBOX_TRIES || responseCode >= 500
      log.warn({ mail: letter.id, tries, fault: message }, 'e-mail not taken')
      await updateMail(db, letter.id, {
        state: isOver ? 'failed' : 'waiting',
        tries,
        fault: message.slice(0, 500),
        due_ms: clock.nowMs() + outboxPauseMs(tries),
      })
    }
  }

  async function deliverDue(): Promise<void> {
    try {
      for (const letter of await dueMails(db, clock.nowMs(), atOnce)) await deliver(letter)
    } catch (error) {
      log.error({ err: error }, 'outbox not read')
    }
  }

  async function readable(scope: Scope, id: string): Promise<Mail> {
    const letter = await findMail(db, scope, id)
    if (!letter) throw new NotFound('E-mail')
    return letter
  }

  return {
    async post({ inventoryId, recipient, subject, text }, within = db) {
      const nowMs = clock.nowMs()
      await insertMail(within, {
        id: `ma-${randomUUID()}`,
        inventory_id: inventoryId,
        recipient,
        subject,
        text,
        state: 'waiting',
        tries: 0,
        fault: '',
        due_ms: nowMs,
        created_ms: nowMs,
        sent_ms: null,
      })
    },
    async list(scope, page) {
      const { offset, limit } = page
      return { isConnected: mail !== undefined, ...(await mailPage(db, scope, page)), offset, limit }
    },
    async retry(scope, id) {
      const { state } = await readable(scope, id)
      if (state === 'sent') throw new Conflict('E-mail was already sent')
      await updateMail(db, id, { state: 'waiting', tries: 0, due_ms: clock.nowMs() })
    },
    async discard(scope, id) {
      await readable(scope, id)
      await deleteMail(db, id)
    },
    start() {
      if (!transport) return
      timer = clock.setInterval(() => {
        round ??= deliverDue().finally(() => {
          round = undefined
        })
      }, OUTBOX_PERIOD_MS)
    },
    async stop() {
      clock.clearInterval(timer)
      await round
      transport?.close()
    },
  }
}
