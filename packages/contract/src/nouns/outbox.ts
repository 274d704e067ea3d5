/** The outbox: e-mail and SMS of the system, kept until a server has accepted them. */
import { z } from 'zod'

/**
 * 1. waiting → sent: the server accepted it.
 * 2. waiting → waiting: the server was unreachable or answered "later"; retried after a growing pause.
 * 3. waiting → failed: the server refused it permanently, or it was tried OUTBOX_TRIES times.
 * 4. failed → waiting: an administrator requests a retry.
 */
export const MailState = z.enum(['waiting', 'sent', 'failed'])
export type MailState = z.infer<typeof MailState>

export const MailKind = z.enum(['email', 'sms'])
export type MailKind = z.infer<typeof MailKind>

export const OUTBOX_TRIES = 12
/** Milliseconds between two checks of the outbox. */
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
  isConnected: z.boolean().describe('False while no mail server is configured: all e-mail waits here'),
  isSmsConnected: z.boolean().describe('False while no SMS gateway is configured: all SMS wait here'),
  items: z.array(Mail),
  total: z.number().int(),
  offset: z.number().int(),
  limit: z.number().int(),
})
