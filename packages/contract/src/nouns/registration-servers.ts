/** The server at which the intercom of a unit is registered: a host, and its port where that is not the usual one (VA-STREAM-15, -16). */
import { z } from 'zod'
import { type PlainCode, rule } from '../define/refusals.ts'

const USUAL_PORT = 5060

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const hostName = new RegExp(`^(?=.{1,253}$)${label}(?:\\.${label})*$`)
const ipv4 = z.ipv4()
const ipv6 = z.ipv6()

interface Parts {
  host: string
  /** Undefined where none is written. */
  port: number | undefined
}

function isHost(name: string): boolean {
  // A name whose last part is a number is an IPv4 address, or nothing.
  if (/(?:^|\.)\d+$/.test(name)) return ipv4.safeParse(name).success
  return hostName.test(name)
}

/** Undefined where the text is no host with or without a port; the port may be out of range. */
function partsOf(text: string): Parts | undefined {
  const [, bracketed, name, port] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d{1,9}))?$/.exec(text) ?? []
  const isKnown = bracketed === undefined ? isHost(name ?? '') : ipv6.safeParse(bracketed).success
  if (!isKnown) return undefined
  return { host: bracketed ?? name ?? '', port: port === undefined ? undefined : Number(port) }
}

/** Why this is no registration server; undefined where it is one. */
export function registrationServerRefusal(text: string): PlainCode | undefined {
  const parts = partsOf(text)
  if (parts === undefined) return 'registrationServer.invalid'
  const { port = USUAL_PORT } = parts
  return port < 1 || port > 65_535 ? 'registrationServer.port' : undefined
}

/** Whether both name one server: one without a port is at the usual one. */
export const isSameRegistrationServer = (a: string, b: string): boolean => placeOf(a) === placeOf(b)

function placeOf(text: string): string {
  const name = text.toLowerCase()
  const parts = partsOf(name)
  return parts === undefined ? name : `${parts.host} ${parts.port ?? USUAL_PORT}`
}

/** "" is none. */
export const RegistrationServer = z
  .string()
  .trim()
  .toLowerCase()
  .max(255)
  .superRefine((text, context) => {
    const refusal = text === '' ? undefined : registrationServerRefusal(text)
    if (refusal !== undefined) context.addIssue({ code: 'custom', message: rule(refusal) })
  })
