// The data that a browser keeps during a sign-in at the provider, sealed so that only this core can have made them.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Secrets of one attempt to sign in. */
export interface Attempt {
  state: string
  nonce: string
  codeVerifier: string
  /** Exactly as sent to the provider. */
  redirectUri: string
  next: string | undefined
  /** By monotonic time: only the process that made the seal opens it. */
  beganMs: number
}

const nonceBytes = 12
const tagBytes = 16

/** The key lives as long as the process: an attempt that a restart interrupts has to be repeated. */
export function createAttemptSeal() {
  const key = randomBytes(32)
  return {
    seal(attempt: Attempt): string {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const text = [cipher.update(JSON.stringify(attempt)), cipher.final()]
      return Buffer.concat([nonce, ...text, cipher.getAuthTag()]).toString('base64url')
    },
    /** Undefined for anything but what `seal` made. */
    open(sealed: string): Attempt | undefined {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < nonceBytes + tagBytes) return undefined
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
      decipher.setAuthTag(bytes.subarray(-tagBytes))
      try {
        const text = [decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]
        return JSON.parse(Buffer.concat(text).toString()) as Attempt
      } catch {
        return undefined
      }
    },
  }
}
