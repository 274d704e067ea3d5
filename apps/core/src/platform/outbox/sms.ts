// The SMS gateway of the operator's choice: an HTTP address that takes one message as JSON.

export interface Sms {
  id: string
  to: string
  text: string
}

const timeoutMs = 30_000

/** The gateway's answer; `isFinal` when it will never accept this message. */
export class SmsRefused extends Error {
  readonly isFinal: boolean
  constructor(status: number, words: string) {
    super(`HTTP ${status} ${words}`.trim())
    this.isFinal = status >= 400 && status < 500 && status !== 408 && status !== 429
  }
}

/**
 * Sends one SMS: `POST {to, text}` as JSON, with the message's own id as idempotency key, so that a gateway that
 * knows such keys sends nothing twice. A name and password in the address go into the authorization header. Throws
 * SmsRefused, or what fetch throws when the gateway cannot be reached.
 */
export async function sendSms(gateway: string, { id, to, text }: Sms): Promise<void> {
  const url = new URL(gateway)
  const name = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  url.username = ''
  url.password = ''
  const response = await fetch(url, {
    method: 'POST',
    // A message goes only to the gateway that the operator named.
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      'content-type': 'application/json',
      'idempotency-key': id,
      ...(name !== ':' && { authorization: `Basic ${Buffer.from(name).toString('base64')}` }),
    },
    body: JSON.stringify({ to, text }),
  })
  const words = (await response.text()).slice(0, 300)
  if (!response.ok) throw new SmsRefused(response.status, words)
}
