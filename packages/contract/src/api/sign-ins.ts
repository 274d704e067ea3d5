/** Signing in and out, outside the REST base (GAP-API-06). */
import { z } from 'zod'
import { Done } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'

export const signIns = {
  signIn: endpoint({
    method: 'POST',
    path: 'origin:/login',
    summary: 'Signs in; sets the session cookie and the readable CSRF cookie',
    permission: 'anyone',
    body: z.strictObject({ username: z.string().min(1).max(255), password: z.string().min(1).max(1024) }),
    response: z.object({ userId: z.string(), csrfToken: z.string() }),
    errors: [401, 429],
    example: { userId: 'us-1', csrfToken: 'c3JmLXRva2Vu' },
    rows: ['GAP-API-06'],
  }),
  signOut: endpoint({
    method: 'POST',
    path: 'origin:/logout',
    summary: 'Ends the sign-in of this browser',
    permission: 'signedIn',
    response: Done,
    example: { done: true },
    rows: ['SC-MENU-34'],
  }),
}
