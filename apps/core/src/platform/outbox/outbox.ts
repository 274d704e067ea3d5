// The outbox: e-mail and SMS are stored first and then handed to a server, so that none is lost.
import { randomUUID } from 'node:crypto'
import { Conflict, NotFound } from '@backhaul/contract/define/errors'
import {
  type Mail,
  MailKind,
  OUTBOX_PERIOD_MS,
  OUTBOX_TRIES,
  type Outbox as OutboxAnswer,
  outboxPauseMs,
} from '@backhaul/contract/nouns/outbox'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
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
import { SmsRefused, sendSms } from './sms.ts'

export interface OutboxMessage {
  /** An SMS is sent without its subject. Without a kind it is e-mail. */
  kind?: MailKind
  /** The customer that it concerns; null for the installation itself. */
  inventoryId: string | null
  recipient: string
  subject: string
  text: string
}

export interface Outbox {
  /** Whether this kind has a server that takes it. */
  isConnected(kind: MailKind): boolean
  /** Stored in the transaction that it belongs to, if there is one. */
  post(message: OutboxMessage, db?: Queries): Promise<void>
  list(scope: Scope, page: MailPage): Promise<z.infer<typeof OutboxAnswer>>
  /** Throws NotFound, and Conflict for one that was sent. */
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
  /** Undefined: no SMS gateway is set. */
  smsGateway: string | undefined
}

const atOnce = 20

/** The library is loaded with the first message that there is to send. */
async function transportTo(url: string) {
  const { createTransport } = await import('nodemailer')
  return createTransport({ url, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 })
}

export function createOutbox({ db, clock, log, mail, smsGateway }: Needs): Outbox {
  let transport: ReturnType<typeof transportTo> | undefined
  let timer: Timer | undefined
  let round: Promise<void> | undefined

  const isConnected = (kind: MailKind) => (kind === 'sms' ? smsGateway : mail) !== undefined

  async function handOver({ id, kind, recipient, subject, text }: Mail): Promise<void> {
    if (kind === 'sms') return await sendSms(smsGateway ?? '', { id, to: recipient, text })
    if (!mail) return
    // A message that is sent twice after a crash can be recognised by its id.
    const messageId = `<${id}@backhaul>`
    transport ??= transportTo(mail.server)
    await (await transport).sendMail({
      from: mail.from,
      to: { name: '', address: recipient },
      subject,
      text,
      messageId,
    })
  }

  async function deliver(mail: Mail): Promise<void> {
    const tries = mail.tries + 1
    try {
      await handOver(mail)
      await updateMail(db, mail.id, { state: 'sent', tries, fault: '', sent_ms: clock.nowMs() })
    } catch (error) {
      const { message, responseCode = 0 } = error as Error & { responseCode?: number }
      const isFinal = error instanceof SmsRefused ? error.isFinal : responseCode >= 500
      const isOver = tries >= OUTBOX_TRIES || isFinal
      log.warn({ mail: mail.id, kind: mail.kind, tries, fault: message }, 'message not delivered')
      await updateMail(db, mail.id, {
        state: isOver ? 'failed' : 'waiting',
        tries,
        fault: message.slice(0, 500),
        due_ms: clock.nowMs() + outboxPauseMs(tries),
      })
    }
  }

  async function deliverDue(): Promise<void> {
    try {
      const kinds = MailKind.options.filter(isConnected)
      for (const mail of await dueMails(db, kinds, clock.nowMs(), atOnce)) await deliver(mail)
    } catch (error) {
      log.error({ err: error }, 'outbox: reading due messages failed')
    }
  }

  async function readable(scope: Scope, id: string): Promise<Mail> {
    const mail = await findMail(db, scope, id)
    if (!mail) throw new NotFound('outbox')
    return mail
  }

  return {
    isConnected,
    async post({ kind = 'email', inventoryId, recipient, subject, text }, within = db) {
      const nowMs = clock.nowMs()
      await insertMail(within, {
        id: `ma-${randomUUID()}`,
        kind,
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
      const connected = { isConnected: isConnected('email'), isSmsConnected: isConnected('sms') }
      return { ...connected, ...(await mailPage(db, scope, page)), offset, limit }
    },
    async retry(scope, id) {
      const { state } = await readable(scope, id)
      if (state === 'sent') throw new Conflict('outbox.sent')
      await updateMail(db, id, { state: 'waiting', tries: 0, due_ms: clock.nowMs() })
    },
    async discard(scope, id) {
      await readable(scope, id)
      await deleteMail(db, id)
    },
    start() {
      if (!MailKind.options.some(isConnected)) return
      timer = clock.setInterval(() => {
        round ??= deliverDue().finally(() => {
          round = undefined
        })
      }, OUTBOX_PERIOD_MS)
    },
    async stop() {
      clock.clearInterval(timer)
      await round
      const open = await transport
      open?.close()
    },
  }
}
