// Steps after the password that guards a change of the second factors.
import { secondFactors } from '@backhaul/contract/api/second-factors'
import type { SecondFactor, TotpOffer } from '@backhaul/contract/nouns/second-factors'
import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser'
import { call } from '../../doors/api.ts'

export type Act = { kind: 'totp' | 'passkey' | 'codes' } | { kind: 'remove'; factor: SecondFactor }

export type AfterPassword =
  | { kind: 'done' }
  | { kind: 'app'; name: string; offer: TotpOffer }
  | { kind: 'codes'; codes: readonly string[] }

/** The browser made no passkey: the user closed its question, or the key is one that is kept already. */
export class NoPasskey extends Error {}

/** @param name of a new factor */
export async function afterPassword(act: Act, password: string, name: string): Promise<AfterPassword> {
  const body = { password }
  switch (act.kind) {
    case 'totp':
      return { kind: 'app', name, offer: await call(secondFactors.offerTotp, { body }) }
    case 'passkey':
      return withCodes(await enrolPasskey(password, name))
    case 'codes':
      return withCodes((await call(secondFactors.renewRecoveryCodes, { body })).recoveryCodes)
    case 'remove':
      await call(secondFactors.remove, { params: { id: act.factor.id }, body })
      return { kind: 'done' }
  }
}

const withCodes = (codes: readonly string[] | null): AfterPassword =>
  codes === null ? { kind: 'done' } : { kind: 'codes', codes }

async function enrolPasskey(password: string, name: string): Promise<readonly string[] | null> {
  const { enrolment, options } = await call(secondFactors.offerPasskey, { body: { password } })
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  const response = await startRegistration({ optionsJSON }).catch(() => {
    throw new NoPasskey()
  })
  const body = { enrolment, name, response: { ...response } }
  return (await call(secondFactors.confirmPasskey, { body })).recoveryCodes
}

export async function confirmApp(
  enrolment: string,
  name: string,
  code: string,
): Promise<readonly string[] | null> {
  return (await call(secondFactors.confirmTotp, { body: { enrolment, name, code } })).recoveryCodes
}
