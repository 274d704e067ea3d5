// Passkeys (WebAuthn): the challenge for a browser, and whether its answer was signed by the expected key.
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { StoredFactor } from './factor-table.ts'

/** Certificates in all their forms come with it: it is loaded with the first passkey, not at each start. */
const library = () => import('@simplewebauthn/server')

/** EdDSA, ES256 and RS256 by their COSE numbers: what all makers of keys support. */
const supportedAlgorithmIDs = [-8, -7, -257]

type Json = Record<string, unknown>
type Credential = Pick<StoredFactor, 'credentialId' | 'secret' | 'transports' | 'counter'>

/** The challenge that the browser had to sign, for the site where the user sees this installation. */
interface Challenge {
  challenge: string
  /** The origin, such as https://backhaul.example. */
  origin: string
}

const siteOf = (origin: string): string => new URL(origin).hostname

const listed = (passkeys: readonly Credential[]) =>
  passkeys.map(({ credentialId, transports }) => ({ id: credentialId ?? '', transports }))

export async function askForPasskey(
  person: { id: string; username: string },
  origin: string,
  present: readonly Credential[],
): Promise<{ challenge: string; options: Json }> {
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName: 'Backhaul',
    rpID: siteOf(origin),
    userName: person.username,
    userID: new TextEncoder().encode(person.id),
    attestationType: 'none',
    supportedAlgorithmIDs,
    excludeCredentials: listed(present),
    // The password has identified the user, so the key need not be discoverable.
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  })
  return { challenge: options.challenge, options: { ...options } }
}

/** The key that the browser made, or undefined when its answer does not match the challenge. */
export async function madePasskey(response: Json, expected: Challenge): Promise<Credential | undefined> {
  const { verifyRegistrationResponse } = await library()
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: expected.challenge,
      expectedOrigin: expected.origin,
      expectedRPID: siteOf(expected.origin),
      requireUserVerification: false,
      supportedAlgorithmIDs,
    })
    if (!verified) return undefined
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential
    const secret = Buffer.from(publicKey).toString('base64url')
    return { credentialId: id, secret, counter, transports: transports.map(String) }
  } catch {
    return undefined
  }
}

export async function challengeProof(
  origin: string,
  passkeys: readonly Credential[],
): Promise<{ challenge: string; options: Json }> {
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({
    rpID: siteOf(origin),
    allowCredentials: listed(passkeys),
    userVerification: 'preferred',
  })
  return { challenge: options.challenge, options: { ...options } }
}

/** The passkey that signed, with its new count of uses; undefined when none of these did. */
export async function provenPasskey<P extends Credential>(
  response: Json,
  expected: Challenge,
  passkeys: readonly P[],
): Promise<{ passkey: P; counter: number } | undefined> {
  const passkey = passkeys.find(({ credentialId }) => credentialId === response.id)
  if (!passkey?.credentialId) return undefined
  const { credentialId: id, secret, counter } = passkey
  const { verifyAuthenticationResponse } = await library()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: expected.challenge,
      expectedOrigin: expected.origin,
      expectedRPID: siteOf(expected.origin),
      requireUserVerification: false,
      credential: { id, counter, publicKey: new Uint8Array(Buffer.from(secret, 'base64url')) },
    })
    return verified ? { passkey, counter: authenticationInfo.newCounter } : undefined
  } catch {
    return undefined
  }
}
