/** Signing in and out, outside the REST base (GAP-API-06), and the other sign-ins of the user. */
import { z } from 'zod'
import { Done } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { SecondFactorChallenge, SecondStep } from '../nouns/second-factors.ts'
import { FirstUser, OwnSignIn, SignInWays } from '../nouns/sign-ins.ts'

export const signIns = {
  signIn: endpoint({
    method: 'POST',
    path: 'origin:/login',
    summary: 'Signs in; sets the session cookie and the readable CSRF cookie, or requires a second factor',
    permission: 'anyone',
    audited: false,
    body: z.strictObject({ username: z.string().min(1).max(255), password: z.string().min(1).max(1024) }),
    response: z.union([
      z.object({ userId: z.string(), csrfToken: z.string() }),
      z.object({ secondFactor: SecondFactorChallenge }),
    ]),
    errors: [401, 429],
    example: { userId: 'us-1', csrfToken: 'c3JmLXRva2Vu' },
    rows: ['GAP-API-06'],
  }),
  secondStep: endpoint({
    method: 'POST',
    path: 'origin:/login/second_factor',
    summary: 'Second step of a sign-in with a second factor; sets the same cookies',
    permission: 'anyone',
    audited: false,
    body: SecondStep,
    response: z.object({ userId: z.string(), csrfToken: z.string() }),
    errors: [401, 429],
    example: { userId: 'us-1', csrfToken: 'c3JmLXRva2Vu' },
  }),
  signOut: endpoint({
    method: 'POST',
    path: 'origin:/logout',
    summary: 'Ends the sign-in of this browser',
    permission: 'signedIn',
    closedToKeys: true,
    response: Done.extend({
      providerUrl: z
        .string()
        .optional()
        .describe('Where the sign-in at the provider ends, when it began there'),
    }),
    example: { done: true },
    rows: ['SC-MENU-34'],
  }),
  ways: endpoint({
    method: 'GET',
    path: '/v2/sign_in_ways',
    summary: 'Ways to sign in here in addition to the local password',
    permission: 'anyone',
    response: SignInWays,
    example: { openid: { name: 'Newsroom account', isReachable: true } },
  }),
  own: endpoint({
    method: 'GET',
    path: '/v2/sign_ins',
    summary: 'Sign-ins of the signed-in user, the last used first',
    permission: 'signedIn',
    closedToKeys: true,
    response: z.array(OwnSignIn),
    example: [
      {
        id: 'si-1',
        address: '192.0.2.17',
        agent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0',
        createdMs: 1_795_000_000_000,
        lastSeenMs: 1_795_000_360_000,
        isThis: true,
      },
    ],
  }),
  end: endpoint({
    method: 'DELETE',
    path: '/v2/sign_ins/{id}',
    summary: 'Ends a sign-in of the signed-in user, in any browser',
    permission: 'signedIn',
    closedToKeys: true,
    params: z.object({ id: z.string() }),
    response: Done,
    errors: [404],
    example: { done: true },
  }),
  endOthers: endpoint({
    method: 'DELETE',
    path: '/v2/sign_ins',
    summary: 'Ends every sign-in of the signed-in user but this one',
    permission: 'signedIn',
    closedToKeys: true,
    response: z.object({ ended: z.number().int().nonnegative() }),
    example: { ended: 2 },
  }),
  firstRun: endpoint({
    method: 'GET',
    path: '/v2/first_run',
    summary: 'Whether this installation waits for its first super user',
    permission: 'anyone',
    response: z.object({ isWanted: z.boolean() }),
    example: { isWanted: false },
  }),
  makeFirstUser: endpoint({
    method: 'POST',
    path: '/v2/first_run',
    summary: 'Makes the first super user and signs them in; only while there is no user, with the setup code',
    permission: 'anyone',
    audited: false,
    body: FirstUser,
    response: z.object({ userId: z.string(), csrfToken: z.string() }),
    errors: [409, 429],
    example: { userId: 'us-1', csrfToken: 'c3JmLXRva2Vu' },
  }),
}
