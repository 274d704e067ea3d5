// The api door: the one way of the console to call core, and the one place that knows what a refusal looks like.
import { type Call, createClient, type Fetch } from '@backhaul/contract/define/client'
import { CSRF_COOKIE } from '@backhaul/contract/define/endpoint'
import { type FieldFault, NoAnswer, Refusal } from '@backhaul/contract/define/errors'
import { answersWithinMs } from '@backhaul/contract/define/waits'
import { reasonText } from '../texts/generic.ts'
import { applicationId } from './application-id.ts'
import { takeEarlyAnswer } from './early-answers.ts'

export function csrfToken(): string | undefined {
  const pair = document.cookie.split('; ').find((cookie) => cookie.startsWith(`${CSRF_COOKIE}=`))
  return pair === undefined ? undefined : decodeURIComponent(pair.slice(CSRF_COOKIE.length + 1))
}

let isLeaving = false
const follow = (isHidden: boolean) => () => {
  isLeaving = isHidden
}
if (typeof window !== 'undefined') {
  window.addEventListener('pagehide', follow(true))
  window.addEventListener('pageshow', follow(false))
}

let underWay = 0
const quietWaiters = new Set<() => void>()

/** Resolves once no call is under way. */
export async function callsAnswered(): Promise<void> {
  if (underWay > 0) await new Promise<void>((resolve) => quietWaiters.add(resolve))
}

function countEnd(): void {
  underWay -= 1
  if (underWay > 0) return
  for (const resolve of quietWaiters) resolve()
  quietWaiters.clear()
}

/** Gives a call up after its time. Its answer counts once it is there whole; only a table may take as long as it needs. */
const fetchInTime: Fetch = async (url, init, endpoint) => {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), answersWithinMs(endpoint))
  underWay += 1
  try {
    // No wait where there is none: calls and subscriptions keep their order.
    const early = endpoint.method === 'GET' ? takeEarlyAnswer(url) : undefined
    // A change that is sent while the page goes away would end with it.
    const reply =
      (early && (await early)) ?? (await fetch(url, { ...init, keepalive: isLeaving, signal: late.signal }))
    if (reply instanceof Response && endpoint.type === 'csv') return reply
    const text = reply instanceof Response ? await reply.text() : reply.text
    return {
      status: reply.status,
      text: async () => text,
      json: async () => JSON.parse(text) as unknown,
    }
  } catch (error) {
    throw late.signal.aborted ? new NoAnswer(endpoint.method !== 'GET') : error
  } finally {
    clearTimeout(timer)
    countEnd()
  }
}

const client = createClient({
  origin: '',
  fetch: fetchInTime,
  applicationId,
  csrfToken,
})

let signedOut: () => void = () => {}

/** `run` is called when core no longer knows us: the router goes to the login page (GAP-API-06). */
export function onSignedOut(run: () => void): void {
  signedOut = run
}

type ReadEnd = (path: string, wasRefused: boolean) => void
let readEnded: ReadEnd = () => {}

/** `run` receives which reads core refuses to this user (403) and which it answers. */
export function onRead(run: ReadEnd): void {
  readEnded = run
}

/** Calls core; rejects with a Refusal. Reads may be tried again by the user, writes are never repeated silently. */
export const call: Call = async (endpoint, input) => {
  try {
    const answer = await client(endpoint, input)
    if (endpoint.method === 'GET') readEnded(endpoint.path, false)
    return answer
  } catch (error) {
    if (error instanceof Refusal && error.status === 403 && endpoint.method === 'GET')
      readEnded(endpoint.path, true)
    if (error instanceof Refusal && error.status === 401 && !endpoint.path.startsWith('origin:')) signedOut()
    throw error
  }
}

export interface Fault {
  /** The code of the refusal that `title` words, where core gave one. */
  code?: string | undefined
  title: string
  text?: string
  /** Message by dotted field name, for forms. */
  fields: Record<string, string>
}

/** Title and advice in one line, where there is only one place for words. */
export const faultWords = ({ title, text }: Fault): string =>
  text === undefined ? title : `${title}. ${text}`

/** Text for the user about a failed call (GAP-API-05). */
export function describeFault(error: unknown): Fault {
  const unknown = { title: reasonText('system.error'), text: reasonText('system.contactSupport') }
  if (!(error instanceof Refusal)) return { ...unknown, fields: {} }
  const { status } = error
  const fields = byField(error.fields)
  // Core names the right, licence or rule that closes it.
  const isNamed = error instanceof NoAnswer || [400, 401, 403, 404, 409, 429].includes(status)
  if (!isNamed) return { ...unknown, fields }
  const named = status === 400 ? (error.fields[0] ?? error) : error
  return { code: named.cause?.code, title: reasonText(named), fields }
}

/** The message for each field, in the user's language. */
export const byField = (faults: readonly FieldFault[]): Record<string, string> =>
  Object.fromEntries(faults.map((fault) => [fault.field, reasonText(fault)]))
