/** Reads a package of core in ranges, with the token of the device. */
import { GATEWAY_PACKAGES_PATH } from '@backhaul/contract/gateway/shared'
import { type Clock, systemClock } from '@backhaul/runtime/clock'
import type { TokenStore } from './token-store.ts'

/** A connection over which nothing has come for this long is given up. */
const SILENT_MS = 30_000

/** `lost`: the connection, or it was not possible; `missing`: core has no such package; `short`: the package ends before. */
export class Interrupted extends Error {
  readonly why: 'lost' | 'missing' | 'short'
  constructor(why: Interrupted['why'] = 'lost') {
    super(`the download was interrupted: ${why}`)
    this.why = why
  }
}

export interface RemotePackage {
  /** The bytes from `from` to `end`, or to the end of the package; throws Interrupted. */
  read(from: number, end: number): AsyncGenerator<Uint8Array>
}

interface Place {
  coreUrl: string
  tokens: TokenStore
  clock?: Clock
}

export function packageAt({ coreUrl, tokens, clock = systemClock }: Place, upgradeId: string): RemotePackage {
  const url = new URL(coreUrl.replace(/^ws/, 'http'))
  url.pathname = `${GATEWAY_PACKAGES_PATH}/${encodeURIComponent(upgradeId)}`
  return {
    async *read(from, end) {
      const giveUp = new AbortController()
      const waits = () => clock.setTimeout(() => giveUp.abort(), SILENT_MS)
      let silence = waits()
      try {
        const answer = await fetch(url, {
          headers: {
            authorization: `Bearer ${(await tokens.load())?.token ?? ''}`,
            range: `bytes=${from}-${end - 1}`,
          },
          signal: giveUp.signal,
        })
        if (answer.status === 404) throw new Interrupted('missing')
        if (answer.status === 416) throw new Interrupted('short')
        if (answer.status !== 206 || !answer.body) throw new Interrupted()
        for await (const chunk of answer.body) {
          clock.clearTimeout(silence)
          silence = waits()
          yield chunk
        }
      } catch (error) {
        throw error instanceof Interrupted ? error : new Interrupted()
      } finally {
        clock.clearTimeout(silence)
        giveUp.abort()
      }
    },
  }
}
