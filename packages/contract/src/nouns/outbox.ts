/** The outbox: e-mail and SMS that the system owes somebody, kept until a server took it. */
import { z } from 'zod'

/**
 * 1. waiting → sent: the server took it.
 * 2. waiting → waiting: the server was not there or said "later"; tried again after a growing pause.
 * 3. waiting → failed: the server refused it for good, or it was tried OUTBOX_TRIES times.
 * 4. failed → waiting: an administrator asks for another try.
 */
export const MailState = z.enum(['waiting', 'sent', 'failed'])
export type MailState = z.infer<typeof MailState>

export const MailKind = z.enum(['email', 'sms'])
export type MailKind = z.infer<typeof MailKind>

export const OUTBOX_TRIES = 12
/** Milliseconds from one look into the outbox to the next. */
export const OUTBOX_PERIOD_MS = 5000

/** Milliseconds until the next try: 10 s, doubling, at most an hour. */
export const outboxPauseMs = (tries: number): number => Math.min(3_600_000, 10_000 * 2 ** (tries - 1))

export const Mail = z.object({
  id: z.string(),
  kind: MailKind,
  recipient: z.string(),
  subject: z.string(),
  text: z.string(),
  state: MailState,
  tries: z.number().int(),
  fault: z.string().describe("The server's last refusal; '' without one"),
  createdOn: z.string(),
  sentOn: z.string().nullable(),
})
export type Mail = z.infer<typeof Mail>

export const Outbox = z.object({
  isConnected: z.boolean().describe('False while no mail server is set: all e-mail waits here'),
  isSmsConnected: z.boolean().describe('False while no SMS gateway is set: all SMS wait here'),
  items: z.array(Mail),
  total: z.number().int(),
  offset: z.number().int(),
  limit: z.number().int(),
})
