// Access to the unit's own page: from the machine itself, or with the password.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Clock } from '@backhaul/runtime/clock'

const cookieName = 'backhaul_unit'
const cookieSeconds = 30 * 86_400
const triesAtMost = 5
const triesWithinMs = 60_000
/** The oldest is forgotten. */
const addressesAtMost = 256

export interface PageAccess {
  isAllowed(headers: IncomingHttpHeaders): boolean
  /** A cookie for the right password. */
  enter(password: string, address: string): { cookie: string } | 'wrong' | 'later'
}

/** Five wrong passwords from one address in a minute, and further ones are refused without a check until the minute is over. */
export function createPageAccess(password: string | undefined, clock: Clock): PageAccess {
  const wrong = new Map<string, { count: number; sinceMs: number }>()
  /** The ticket is the same after a restart, and another one for another password. */
  const ticket = createHmac('sha256', password ?? '')
    .update('page of the unit')
    .digest('base64url')

  function triesOf(address: string): { count: number; sinceMs: number } {
    const nowMs = clock.monotonicMs()
    const known = wrong.get(address)
    if (known && nowMs - known.sinceMs < triesWithinMs) return known
    const tries = { count: 0, sinceMs: nowMs }
    wrong.delete(address)
    wrong.set(address, tries)
    const [oldest] = wrong.keys()
    if (wrong.size > addressesAtMost && oldest !== undefined) wrong.delete(oldest)
    return tries
  }

  return {
    isAllowed(headers) {
      if (password === undefined) return isForThisMachine(headers)
      const given = (headers.cookie ?? '').split(';').map((part) => part.trim().split('='))
      return given.some(([name, value = '']) => name === cookieName && isSame(value, ticket))
    },
    enter(given, address) {
      const tries = triesOf(address)
      if (tries.count >= triesAtMost) return 'later'
      if (password !== undefined && isSame(given, password)) {
        wrong.delete(address)
        const cookie = `${cookieName}=${ticket}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${cookieSeconds}`
        return { cookie }
      }
      tries.count++
      return 'wrong'
    },
  }
}

/** Compares in a time that does not depend on the place of the difference. */
function isSame(a: string, b: string): boolean {
  const [first, second] = [a, b].map((text) => createHmac('sha256', 'compared').update(text).digest())
  return timingSafeEqual(first as Buffer, second as Buffer)
}

/** A page of another host in a browser of this machine must not read it by a name that leads here. */
function isForThisMachine({ host = '' }: IncomingHttpHeaders): boolean {
  const name = host.replace(/:\d+$/, '')
  return name === 'localhost' || /^127(\.\d{1,3}){3}$/.test(name)
}
