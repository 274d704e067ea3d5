// The provider at which people sign in: found when it is first needed, asked by authorization code with PKCE.
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import * as client from 'openid-client'
import type { Attempt } from './attempt-seal.ts'
import type { Claims } from './mapping.ts'

export interface ProviderSettings {
  /** https, or http on loopback. */
  issuer: string
  clientId: string
  /** Without one the provider must know this installation as a public client. */
  clientSecret: string | undefined
  scope: string
}

export interface Provider {
  isReachable(): Promise<boolean>
  /** Where the browser signs in. Throws when the provider does not answer. */
  address(attempt: Attempt): Promise<string>
  /** What the provider says of the person whose browser came back. Throws for everything that does not hold. */
  claims(attempt: Attempt, search: string): Promise<{ claims: Claims; idToken: string }>
  /** Where the sign-in ends at the provider, if it has such an address and is reachable. */
  endAddress(idToken: string, backTo: string): Promise<string | undefined>
}

const answerSeconds = 5
/** Clocks differ. */
const toleranceSeconds = 30
const foundForMs = 10 * 60_000
/** A provider that did not answer is not asked by every page that wants to know. */
const failedForMs = 5_000

export function createProvider(
  settings: ProviderSettings,
  { clock, log }: { clock: Clock; log: Log },
): Provider {
  let found: { configuration: Promise<client.Configuration>; untilMs: number } | undefined

  function configuration(): Promise<client.Configuration> {
    if (found && clock.monotonicMs() < found.untilMs) return found.configuration
    const asked = { configuration: discover(settings), untilMs: clock.monotonicMs() + foundForMs }
    found = asked
    asked.configuration.catch((error) => {
      asked.untilMs = clock.monotonicMs() + failedForMs
      log.warn({ err: error, issuer: settings.issuer }, 'the sign-in provider does not answer')
    })
    return asked.configuration
  }

  return {
    isReachable: () =>
      configuration().then(
        () => true,
        () => false,
      ),
    async address({ state, nonce, codeVerifier, redirectUri }) {
      const url = client.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: settings.scope,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      })
      return url.href
    },
    async claims({ state, nonce, codeVerifier, redirectUri }, search) {
      const provider = await configuration()
      const tokens = await client.authorizationCodeGrant(provider, new URL(search, redirectUri), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      })
      const said = tokens.claims()
      if (!said || !tokens.id_token) throw new Error('the provider named nobody')
      // Many providers keep names and groups out of the token.
      const more = provider.serverMetadata().userinfo_endpoint
        ? await client.fetchUserInfo(provider, tokens.access_token, said.sub)
        : {}
      return { claims: { ...more, ...said }, idToken: tokens.id_token }
    },
    async endAddress(idToken, backTo) {
      const provider = await configuration().catch(() => undefined)
      if (!provider?.serverMetadata().end_session_endpoint) return undefined
      const parameters = { id_token_hint: idToken, post_logout_redirect_uri: backTo }
      return client.buildEndSessionUrl(provider, parameters).href
    },
  }
}

function discover({ issuer, clientId, clientSecret }: ProviderSettings): Promise<client.Configuration> {
  const url = new URL(issuer)
  return client.discovery(
    url,
    clientId,
    { [client.clockTolerance]: toleranceSeconds },
    clientSecret === undefined ? client.None() : secretAsTaken(clientSecret),
    {
      timeout: answerSeconds,
      ...(url.protocol === 'http:' && { execute: [client.allowInsecureRequests] }),
    },
  )
}

/** The secret in the header unless the provider takes it in the form alone. */
function secretAsTaken(secret: string): client.ClientAuth {
  const [inHeader, inForm] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const taken = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (taken.includes('client_secret_basic') ? inHeader : inForm)(server, ...rest)
  }
}

/** Whether the provider itself said no: the person turned back, or may not use this installation. */
export const isRefusal = (error: unknown): boolean => error instanceof client.AuthorizationResponseError

/** Whether there was no answer, rather than a wrong one. */
export const isSilence = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof client.ClientError && error.code === 'OAUTH_TIMEOUT')
