// Secrets that core need only know again, such as tokens and codes: kept as their hash alone.
import { createHash, timingSafeEqual } from 'node:crypto'

/** SHA-256 in hex digits, which is enough for what nobody can guess; passwords of people are kept in another way. */
export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** In a time that does not tell how much of the secret is right. */
export const isSecretOf = (hash: string, secret: string): boolean =>
  timingSafeEqual(Buffer.from(hash), Buffer.from(hashSecret(secret)))
