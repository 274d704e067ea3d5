// Answers an RTSP challenge, which is that of HTTP: Basic, and Digest with MD5 or SHA-256 (RFC 7616).
import { createHash, randomBytes } from 'node:crypto'
import type { Credentials } from './credentials.ts'

export interface Authorization {
  /** The header's value for the next request. */
  next(method: string, uri: string): string
}

type Parameters = Readonly<Record<string, string>>

function parametersOf(challenge: string): Parameters {
  const found = challenge.matchAll(/(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/g)
  return Object.fromEntries(
    [...found].map(([, name = '', quoted, plain]) => [name.toLowerCase(), quoted ?? plain ?? '']),
  )
}

const algorithms: Readonly<Record<string, string>> = { md5: 'md5', 'sha-256': 'sha256' }

/** Undefined where no challenge can be answered; Digest is preferred, since it does not send the password. */
export function answerTo(challenges: readonly string[], credentials: Credentials): Authorization | undefined {
  for (const challenge of challenges) {
    if (!/^digest\s/i.test(challenge)) continue
    const parameters = parametersOf(challenge)
    const algorithm = algorithms[(parameters.algorithm ?? 'md5').toLowerCase()]
    const isAnswerable = parameters.qop === undefined || parameters.qop.split(/[\s,]+/).includes('auth')
    if (algorithm !== undefined && isAnswerable) return digest(parameters, algorithm, credentials)
  }
  const { user, password } = credentials
  const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  return challenges.some((challenge) => /^basic\b/i.test(challenge)) ? { next: () => basic } : undefined
}

function digest(parameters: Parameters, algorithm: string, { user, password }: Credentials): Authorization {
  const { realm = '', nonce = '', opaque, qop } = parameters
  const hash = (...parts: string[]) => createHash(algorithm).update(parts.join(':')).digest('hex')
  const ofUser = hash(user, realm, password)
  let count = 0
  return {
    next(method, uri) {
      const ofRequest = hash(method, uri)
      const nc = (++count).toString(16).padStart(8, '0')
      const cnonce = randomBytes(8).toString('hex')
      const response =
        qop === undefined
          ? hash(ofUser, nonce, ofRequest)
          : hash(ofUser, nonce, nc, cnonce, 'auth', ofRequest)
      return [
        `Digest username="${user.replace(/["\\]/g, '\\$&')}"`,
        `realm="${realm}"`,
        `nonce="${nonce}"`,
        `uri="${uri}"`,
        `response="${response}"`,
        ...(parameters.algorithm === undefined ? [] : [`algorithm=${parameters.algorithm}`]),
        ...(opaque === undefined ? [] : [`opaque="${opaque}"`]),
        ...(qop === undefined ? [] : ['qop=auth', `nc=${nc}`, `cnonce="${cnonce}"`]),
      ].join(', ')
    },
  }
}
