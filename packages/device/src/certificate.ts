import { Refused } from './refused.ts'

/** Core voids the token next; the session discards it then, and registers with the key. */
export function requireKey(registrationKey: string | undefined): void {
  if (registrationKey === undefined) throw new Refused('certificate.noKey')
}
