// The cookie of a browser that has signed in to an account: it gives no access, but others cannot use up its attempts.
import { createHash, randomBytes } from 'node:crypto'
import type { Sealing } from '../../database/sealing.ts'

/** Reads a cookie of the request by its name. */
export type ReadCookie = (name: string) => string | undefined

export interface KnownBrowsers {
  /** The id of the browser for this account; undefined for one that has never signed in to it. */
  find(username: string, read: ReadCookie): string | undefined
  /** The cookie to set after a sign-in. */
  make(username: string): KnownBrowserCookie
}

export interface KnownBrowserCookie {
  name: string
  value: string
}

const ownerOf = (username: string) => `known browser ${username.toLowerCase()}`

/** One for each account that is used in the browser. */
const cookieName = (username: string) =>
  `backhaul_known_${createHash('sha256').update(username.toLowerCase()).digest('hex').slice(0, 12)}`

export function createKnownBrowsers(sealing: Sealing): KnownBrowsers {
  return {
    find(username, read) {
      const value = read(cookieName(username))
      return value === undefined ? undefined : sealing.open(value, ownerOf(username))
    },
    make(username) {
      const value = sealing.seal(randomBytes(12).toString('base64url'), ownerOf(username))
      return { name: cookieName(username), value }
    },
  }
}
