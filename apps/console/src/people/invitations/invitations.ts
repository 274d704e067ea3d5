// Content of an invitation by an administrator, and pasted recipients as lines.
import { invitations as calls } from '@backhaul/contract/api/invitations'
import { type InvitationPeriod, RECIPIENTS_AT_MOST } from '@backhaul/contract/nouns/invitations'
import { call } from '../../doors/api.ts'
import { preferences } from '../../session/preferences/preferences.ts'
import { withCallingCode } from './calling-codes.ts'

/** Ways in which an invitation reaches the user of the unit. */
export const ways = ['link', 'email', 'sms'] as const
export type Way = (typeof ways)[number]

export interface Draft {
  way: Way
  period: InvitationPeriod
  text: string
  /** One line each; empty lines are not sent. */
  recipients: readonly string[]
}

export const emptyDraft: Omit<Draft, 'way'> = { period: '1 day', text: '', recipients: [''] }

export type Invited = { kind: 'link'; code: string; expiresAt: string; link: string } | Sent
interface Sent {
  kind: 'sent'
  count: number
  /** False: they wait in the outbox, because nothing that takes them is set. */
  isConnected: boolean
}

/** Rejects with a Refusal; its fields `recipients.n` count the lines that are not empty. */
export async function invite(
  currentGroup: string,
  { way, period, text, recipients: lines }: Draft,
): Promise<Invited> {
  const params = { currentGroup }
  if (way === 'link') return { kind: 'link', ...(await call(calls.create, { params, body: { period } })) }
  const { luSmartCountry } = preferences.get()
  const recipients = filled(lines).map((line) =>
    way === 'sms' ? withCallingCode(line, luSmartCountry) : line,
  )
  const body = { recipients, period, text }
  const { isConnected } = await call(way === 'email' ? calls.email : calls.sms, { params, body })
  return { kind: 'sent', count: recipients.length, isConnected }
}

const filled = (lines: readonly string[]): string[] =>
  lines.map((line) => line.trim()).filter((line) => line !== '')

/** The message of core for the line at `at`, which counts empty lines too. */
export function faultOfLine(
  faults: Readonly<Record<string, string>>,
  lines: readonly string[],
  at: number,
): string | undefined {
  if ((lines[at] ?? '').trim() === '') return undefined
  return faults[`recipients.${filled(lines.slice(0, at)).length}`]
}

/** Splits the text pasted into the line at `at` into lines: lists come with commas, semicolons or new lines. */
export function withPasted(lines: readonly string[], at: number, pasted: string): string[] {
  const parts = filled(pasted.split(/[,;\n]/))
  return lines.toSpliced(at, 1, ...parts).slice(0, RECIPIENTS_AT_MOST)
}
