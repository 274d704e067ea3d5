// A provider for tests: the certified server on a real socket, where naming an account is enough to sign in. Runs alone, too.
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export const client = { id: 'backhaul', secret: 'a secret of the two alone' }

export type Accounts = Map<string, Record<string, unknown>>

export interface OpenidProvider {
  issuer: string
  accounts: Accounts
  close(): Promise<void>
}

/** `publicUrl` is the address of the installation that users come from; `port` 0 for any free one. */
export async function startOpenidProvider(
  publicUrl: string,
  accounts: Accounts,
  port = 0,
): Promise<OpenidProvider> {
  let answer = (_: IncomingMessage, response: ServerResponse) => void response.writeHead(503).end()
  const server = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = providerOf(issuer, publicUrl, accounts)
  const handle = provider.callback()
  answer = (request, response) => {
    if (request.url?.startsWith('/interaction/')) void interact(provider, request, response)
    else void handle(request, response)
  }
  return {
    issuer,
    accounts,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function providerOf(issuer: string, publicUrl: string, accounts: Accounts): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [`${publicUrl}/login/openid/callback`],
        post_logout_redirect_uris: [`${publicUrl}/login`],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kty: 'RSA', use: 'sig' }] },
    cookies: { keys: ['only for tests'] },
    features: { devInteractions: { enabled: false } },
    claims: {
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'family_name', 'preferred_username', 'groups', 'company'],
    },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, id) => {
      const claims = accounts.get(id)
      return claims && { accountId: id, claims: () => ({ sub: id, ...claims }) }
    },
    // No page of consent.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  })
}

/** The provider's own page: the account's name and a button, or a way back. */
async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse) {
  if (request.method === 'GET') {
    const page = `<!doctype html><title>Provider</title><form method="post">
      <label>Account <input name="account" autofocus></label><button>Continue</button></form>`
    response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    return
  }
  let body = ''
  for await (const chunk of request) body += String(chunk)
  const accountId = new URLSearchParams(body).get('account')
  const result = accountId ? { login: { accountId } } : { error: 'access_denied' }
  await provider.interactionFinished(request, response, result)
}

if (import.meta.main) {
  const [publicUrl = '', accounts = '{}'] = process.argv.slice(2)
  const { issuer } = await startOpenidProvider(publicUrl, new Map(Object.entries(JSON.parse(accounts))))
  process.stdout.write(`${JSON.stringify({ ready: true, url: issuer })}\n`)
}
