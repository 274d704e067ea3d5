/** A user of the demo at the public API: signs in as a browser does and calls the contract's endpoints. */
import { signIns } from '@backhaul/contract/api/sign-ins'
import { type Call, createClient } from '@backhaul/contract/define/client'

/** Where core's API is, from the address of its gateway. */
export function originOf(coreUrl: string): string {
  const url = new URL(coreUrl)
  url.protocol = url.protocol === 'wss:' ? 'https:' : 'http:'
  return url.origin
}

/** Rejects with a Refusal when core refuses the sign-in. */
export async function signIn(origin: string, username: string, password: string): Promise<Call> {
  const cookies = new Map<string, string>()
  let csrfToken: string | undefined
  const call = createClient({
    origin,
    applicationId: 'simulator',
    csrfToken: () => csrfToken,
    async fetch(url, { method, headers, body }) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(url, {
        method,
        headers: { ...headers, ...(cookie && { cookie }) },
        ...(body !== undefined && { body }),
      })
      for (const line of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
        cookies.set(name, value)
      }
      return response
    },
  })
  const answer = await call(signIns.signIn, { body: { username, password } })
  if ('secondFactor' in answer)
    throw new Error(`${username} has a second factor, which the simulator does not have`)
  csrfToken = answer.csrfToken
  return call
}
