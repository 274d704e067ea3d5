// The sign-in provider: discovered when it is first needed, used by authorization code with PKCE.
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
  /** The address at which the browser signs in. Throws when the provider does not answer. */
  address(attempt: Attempt): Promise<string>
  /** The provider's claims about the user who returns. Throws where any check fails. */
  claims(attempt: Attempt, search: string): Promise<{ claims: Claims; idToken: string }>
  /** Where the sign-in ends at the provider, if it has such an address and is reachable. */
  endAddress(idToken: string, backTo: string): Promise<string | undefined>
}

const answerSeconds = 5
/** Tolerance for clocks that differ. */
const toleranceSeconds = 30
/** Then it is contacted again, so that the login page shows a provider that does not answer. */
const foundForMs = 30_000
/** The time for which the provider is not contacted again after a failure. */
const failedForMs = 5_000

export function createProvider(
  settings: ProviderSettings,
  { clock, log }: { clock: Clock; log: Log },
): Provider {
  let found: { configuration: Promise<client.Configuration>; untilMs: number } | undefined

  function configuration(): Promise<client.Configuration> {
    if (found && clock.monotonicMs() < found.untilMs) return found.configuration
    const discovery = { configuration: discover(settings), untilMs: clock.monotonicMs() + foundForMs }
    found = discovery
    discovery.configuration.catch((error) => {
      discovery.untilMs = clock.monotonicMs() + failedForMs
      log.warn({ err: error, issuer: settings.issuer }, 'sign-in provider: no answer')
    })
    return discovery.configuration
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
      const claims = tokens.claims()
      if (!claims || !tokens.id_token) throw new Error('the provider sent no claims')
      // Many providers keep names and groups out of the token.
      const more = provider.serverMetadata().userinfo_endpoint
        ? await client.fetchUserInfo(provider, tokens.access_token, claims.sub)
        : {}
      return { claims: { ...more, ...claims }, idToken: tokens.id_token }
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

/** Whether the provider itself refused: the user cancelled, or may not use this installation. */
export const isRefusal = (error: unknown): boolean => error instanceof client.AuthorizationResponseError

/** Whether there was no answer, rather than a wrong one. */
export const isSilence = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof client.ClientError && error.code === 'OAUTH_TIMEOUT')
