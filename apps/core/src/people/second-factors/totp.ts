// Codes of authenticator apps (RFC 6238): six digits of SHA-1, a new one each 30 s, as every app knows them.
import { Secret, TOTP } from 'otpauth'

const periodMs = 30_000
/** A phone's clock may be one step off either way (RFC 6238, section 5.2). */
const window = 1

const totpOf = (secret: Secret, label = '') =>
  new TOTP({ issuer: 'Backhaul', label, algorithm: 'SHA1', digits: 6, period: periodMs / 1000, secret })

/** A secret of 160 bits (RFC 4226, section 4), in base32 and as the address that an app reads from a picture. */
export function newTotp(label: string): { secret: string; uri: string } {
  const secret = new Secret({ size: 20 })
  return { secret: secret.base32, uri: totpOf(secret, label).toString() }
}

/** The time step whose code this is, or undefined. Codes are compared in constant time. */
export function stepOf(secret: string, code: string, nowMs: number): number | undefined {
  const delta = totpOf(Secret.fromBase32(secret)).validate({ token: code, timestamp: nowMs, window })
  return delta === null ? undefined : Math.floor(nowMs / periodMs) + delta
}
