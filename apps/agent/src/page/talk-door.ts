// The requests by which the page opens and closes the microphones of the crew; only the page itself can send them.
import type { IncomingHttpHeaders } from 'node:http'
import { type IntercomNumber, intercomNumbers } from '@backhaul/contract/nouns/intercom'
import { z } from 'zod'
import type { CrewTalk } from '../intercom/intercom.ts'
import type { MicrophoneSwitch } from '../intercom/microphone-switch.ts'

const longestBody = 256

/** Why a request is refused: the part of it, and after the colon the rule that it breaks. */
export interface RequestFault {
  readonly status: number
  readonly message: `${string}: ${string}`
}

const Line = z.literal([...intercomNumbers], `must be ${intercomNumbers.join(' or ')}`)
const YesOrNo = z.boolean('must be true or false')
const pressRule = 'must be 8 to 64 letters, digits, hyphens or underscores'
const Press = z.string(pressRule).regex(/^[\w-]{8,64}$/, pressRule)

const orders: Readonly<Record<string, (talk: CrewTalk, body: unknown) => RequestFault | undefined>> = {
  '/microphone': order(
    z.strictObject({ line: Line, muted: YesOrNo }, 'must be an object of line and muted alone'),
    ({ setMuted }, { muted }) => void setMuted(muted),
  ),
  '/talk': order(
    z.strictObject(
      { line: Line, press: Press, held: YesOrNo },
      'must be an object of line, press and held alone',
    ),
    ({ hold, release }, { press, held }) => {
      if (!held) return void release(press)
      return hold(press) ? undefined : { status: 503, message: 'press: too many buttons are held' }
    },
  ),
}

/** Handles an order for the line that the body names, where it has a microphone. */
function order<Body extends { line: IntercomNumber }>(
  schema: z.ZodType<Body>,
  change: (microphone: MicrophoneSwitch, body: Body) => RequestFault | undefined,
): (talk: CrewTalk, body: unknown) => RequestFault | undefined {
  return (talk, body) => {
    const read = schema.safeParse(body)
    if (!read.success) return bodyFault(read.error)
    const microphone = talk.microphone(read.data.line)
    if (!microphone) return { status: 409, message: 'line: must have a headset with a microphone' }
    return change(microphone, read.data)
  }
}

function bodyFault({ issues: [first] }: z.ZodError): RequestFault {
  const field = first?.path.map(String).join('.') || 'body'
  return { status: 400, message: `${field}: ${first?.message}` }
}

export const isTalkPath = (path: string): boolean => Object.hasOwn(orders, path)

/** A page of another origin can send neither this type nor our origin. */
export function headerFault(headers: IncomingHttpHeaders): RequestFault | undefined {
  const { host, origin = '', 'content-type': type = '', 'content-length': length } = headers
  if (host === undefined || URL.parse(origin)?.host !== host)
    return { status: 403, message: "origin: must be that of the unit's own page" }
  if (!/^application\/json\b/i.test(type))
    return { status: 415, message: 'content-type: must be application/json' }
  if (!(Number(length) <= longestBody))
    return { status: 413, message: `content-length: must be ${longestBody} or less` }
  return undefined
}

/** Carries out a request of the page to one of the paths, or returns the reason why not. */
export function carryOut(talk: CrewTalk, path: string, text: string): RequestFault | undefined {
  return orders[path]?.(talk, jsonIn(text))
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
