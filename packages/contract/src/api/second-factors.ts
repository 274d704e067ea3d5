/** Second factors: users manage their own, and an administrator can remove those of a user who lost theirs. */
import { z } from 'zod'
import { Done } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import {
  Enrolled,
  OwnPassword,
  OwnSecondFactors,
  PasskeyConfirmation,
  PasskeyOffer,
  TotpConfirmation,
  TotpOffer,
} from '../nouns/second-factors.ts'

const recoveryCodes = ['kq2m-7xwd-h3pz-9rfa', 'b6tn-4ycv-e8js-2ugk']

export const secondFactors = {
  own: endpoint({
    method: 'GET',
    path: '/v2/second_factors',
    summary: 'The second factors of the signed-in user, without their secrets',
    permission: 'signedIn',
    closedToKeys: true,
    response: OwnSecondFactors,
    example: {
      factors: [
        {
          id: 'sf-1',
          kind: 'totp',
          name: 'Phone',
          createdMs: 1_795_000_000_000,
          lastUsedMs: 1_795_000_360_000,
        },
      ],
      recoveryCodesLeft: 10,
    },
  }),
  offerTotp: endpoint({
    method: 'POST',
    path: '/v2/second_factors/totp',
    summary: 'A new secret for an authenticator app (RFC 6238); valid once a first code confirms it',
    permission: 'signedIn',
    closedToKeys: true,
    body: OwnPassword,
    response: TotpOffer,
    errors: [409, 429],
    example: {
      enrolment: 'ZW5yb2xtZW50',
      secret: 'JBSWY3DPEHPK3PXP',
      uri: 'otpauth://totp/Backhaul:olivia?secret=JBSWY3DPEHPK3PXP&issuer=Backhaul',
    },
  }),
  confirmTotp: endpoint({
    method: 'POST',
    path: '/v2/second_factors/totp/confirmation',
    summary: 'Stores the authenticator app that shows this code; the first factor returns recovery codes',
    permission: 'signedIn',
    closedToKeys: true,
    body: TotpConfirmation,
    response: Enrolled,
    errors: [409, 429],
    example: { recoveryCodes },
  }),
  offerPasskey: endpoint({
    method: 'POST',
    path: '/v2/second_factors/passkeys',
    summary: 'What a browser needs to make a passkey for this installation (WebAuthn)',
    permission: 'signedIn',
    closedToKeys: true,
    body: OwnPassword,
    response: PasskeyOffer,
    errors: [409, 429],
    example: { enrolment: 'ZW5yb2xtZW50', options: { challenge: 'Y2hhbGxlbmdl' } },
  }),
  confirmPasskey: endpoint({
    method: 'POST',
    path: '/v2/second_factors/passkeys/confirmation',
    summary: 'Stores the passkey that the browser made; the first factor returns recovery codes',
    permission: 'signedIn',
    closedToKeys: true,
    body: PasskeyConfirmation,
    response: Enrolled,
    errors: [409],
    example: { recoveryCodes: null },
  }),
  renewRecoveryCodes: endpoint({
    method: 'POST',
    path: '/v2/second_factors/recovery_codes',
    summary: 'New recovery codes; the previous ones become invalid',
    permission: 'signedIn',
    closedToKeys: true,
    body: OwnPassword,
    response: z.object({ recoveryCodes: z.array(z.string()) }),
    errors: [409, 429],
    example: { recoveryCodes },
  }),
  remove: endpoint({
    method: 'POST',
    path: '/v2/second_factors/{id}/removal',
    summary:
      'Removes a second factor of the signed-in user; with the last one the recovery codes are removed too',
    permission: 'signedIn',
    closedToKeys: true,
    params: z.object({ id: z.string().max(64) }),
    body: OwnPassword,
    response: Done,
    errors: [404, 429],
    example: { done: true },
  }),
  reset: endpoint({
    method: 'DELETE',
    path: '/v2/admin/users/{id}/second_factors',
    summary:
      'Removes every second factor of a user who lost theirs, and ends their sign-ins; the password alone is enough until they add another',
    permission: 'administerPeople',
    closedToKeys: true,
    params: z.object({ id: z.string().min(1).max(64) }),
    response: z.object({ removed: z.number().int().nonnegative() }),
    errors: [404, 409],
    example: { removed: 1 },
  }),
}
