// Secrets that core only has to recognise, such as tokens and codes: stored as their hash only.
import { hash, timingSafeEqual } from 'node:crypto'

/** SHA-256 in hex digits, which is enough for secrets that cannot be guessed; passwords are hashed with argon2id. */
export const hashSecret = (secret: string): string => hash('sha256', secret)

/** Compares in a time that does not reveal how much of the secret is right. */
export const isSecretOf = (hashed: string, secret: string): boolean =>
  timingSafeEqual(Buffer.from(hashed), Buffer.from(hashSecret(secret)))
