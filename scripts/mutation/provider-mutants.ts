// Checks of the answers of the sign-in provider.
import { type Rule, rules } from './mutant-rules.ts'

const openid = rules(
  /^\w+\/(openid\/(openid|provider|mapping)|sign-ins\/openid-routes|users\/(users|enterprise|identity-table))\.ts$/,
  ['people/openid'],
)

export const providerMutants: readonly Rule[] = [
  openid('expectedState: state', 'expectedState: client.skipStateCheck'),
  openid('expectedNonce: nonce,'),
  openid('claims.email_verified === true && '),
  openid("if (person.email === undefined) throw new OpenidFailure('unverified')"),
  openid("if (found && !found.isEnterprise) throw new OpenidFailure('local')"),
  openid("if (!before?.active) throw new OpenidFailure('closed')"),
  openid('settings.addsUsers ?', 'true ?'),
  openid(' || clock.monotonicMs() - attempt.beganMs > ATTEMPT_LASTS_MS'),
  openid('pathAfterSignIn(next)', "next ?? '/'"),
  openid(
    'safeNextPath((request.query as { next?: unknown }).next)',
    'String((request.query as { next?: unknown }).next)',
  ),
  openid('user?.SSO ? undefined : user?.passwordHash', 'user?.passwordHash'),
  openid('...(userType === null && { roles: [] }),'),
]
