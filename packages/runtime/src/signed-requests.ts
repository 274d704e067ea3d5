// A request between two programs that share a key: signed for its method, its path and a short time, so that the key itself is never sent.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Longer than any request takes, and than two monotonic clocks drift apart. */
const VALID_MS = 60_000

export interface RequestToSign {
  readonly method: string
  /** Path and query, as the request names them. */
  readonly path: string
}

/** Monotonic milliseconds, unaffected by the wall clock; the same in every thread of a machine. */
export const steadyMs = (): number => Number(process.hrtime.bigint() / 1_000_000n)

const macOf = (key: string, { method, path }: RequestToSign, atMs: number): Buffer =>
  createHmac('sha256', key).update(`${atMs} ${method} ${path}`).digest()

/** The proof in the request; `atMs` by the clock of the signer. */
export const signRequest = (key: string, request: RequestToSign, atMs: number): string =>
  `${atMs}.${macOf(key, request, atMs).toString('base64url')}`

/** `nowMs` by the clock of the signer. */
export function isSigned(key: string, request: RequestToSign, nowMs: number, signature: string): boolean {
  const [, at, mac = ''] = /^(\d{1,16})\.([\w-]{43})$/.exec(signature) ?? []
  if (at === undefined || Math.abs(nowMs - Number(at)) > VALID_MS) return false
  return timingSafeEqual(macOf(key, request, Number(at)), Buffer.from(mac, 'base64url'))
}
