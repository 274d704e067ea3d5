/** Second factors of a sign-in in addition to the password: a code of an authenticator app, a passkey, a recovery code. */
import { z } from 'zod'
import { rule } from '../define/refusals.ts'

export const SECOND_FACTORS_MAX = 10
export const RECOVERY_CODES = 10

/** The options of `navigator.credentials` and its result (WebAuthn Level 3, section 5.1). */
const WebAuthnJson = z.record(z.string(), z.unknown())

export const SecondFactor = z.object({
  id: z.string(),
  kind: z.enum(['totp', 'passkey']),
  name: z.string(),
  createdMs: z.number().int(),
  lastUsedMs: z.number().int().nullable(),
})
export type SecondFactor = z.infer<typeof SecondFactor>

export const OwnSecondFactors = z.object({
  factors: z.array(SecondFactor),
  recoveryCodesLeft: z.number().int().nonnegative(),
})
export type OwnSecondFactors = z.infer<typeof OwnSecondFactors>

/** The own password, required again before a change of what protects the account. */
export const OwnPassword = z.strictObject({ password: z.string().min(1).max(1024) })

const FactorName = z
  .string()
  .trim()
  .min(1)
  .max(60, rule('text.atMost', { most: 60 }))
const Code = z
  .string()
  .trim()
  .regex(/^[0-9]{6}$/, rule('secondFactor.sixDigits'))

export const TotpOffer = z.object({
  enrolment: z.string().describe('The id of this enrolment at its confirmation; valid for ten minutes'),
  secret: z.string().describe('Base32, for an app that cannot read the picture'),
  uri: z.string().describe('otpauth://…, the content of the picture'),
})
export type TotpOffer = z.infer<typeof TotpOffer>

export const PasskeyOffer = z.object({ enrolment: z.string(), options: WebAuthnJson })
export type PasskeyOffer = z.infer<typeof PasskeyOffer>

export const TotpConfirmation = z.strictObject({
  enrolment: z.string().max(100),
  name: FactorName,
  code: Code,
})
export type TotpConfirmation = z.infer<typeof TotpConfirmation>

export const PasskeyConfirmation = z.strictObject({
  enrolment: z.string().max(100),
  name: FactorName,
  response: WebAuthnJson,
})
export type PasskeyConfirmation = z.infer<typeof PasskeyConfirmation>

/** Recovery codes in clear, once; null when the user has some already. */
export const Enrolled = z.object({ recoveryCodes: z.array(z.string()).nullable() })
export type Enrolled = z.infer<typeof Enrolled>

/** The answer to the password alone for a user with a second factor. */
export const SecondFactorChallenge = z.object({
  challenge: z.string().describe('Given in the second step; valid once, for five minutes'),
  kinds: z.array(z.enum(['totp', 'passkey', 'recoveryCode'])),
  passkeyOptions: WebAuthnJson.nullable(),
})
export type SecondFactorChallenge = z.infer<typeof SecondFactorChallenge>

export const SecondStep = z.strictObject({
  challenge: z.string().max(100),
  proof: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('totp'), code: Code }),
    z.strictObject({ kind: z.literal('recoveryCode'), code: z.string().min(1).max(64) }),
    z.strictObject({ kind: z.literal('passkey'), response: WebAuthnJson }),
  ]),
})
export type SecondStep = z.infer<typeof SecondStep>
