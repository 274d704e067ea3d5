// The signed-in user, and core's data about them from the start of the console.
import { client } from '@backhaul/contract/api/client'
import { signIns } from '@backhaul/contract/api/sign-ins'
import { type Action, mayDo } from '@backhaul/contract/define/actions'
import type { ApplicationUrls, ClientConfiguration } from '@backhaul/contract/nouns/client'
import type { SecondFactorChallenge, SecondStep } from '@backhaul/contract/nouns/second-factors'
import type { FirstUser, SignInWays } from '@backhaul/contract/nouns/sign-ins'
import type { User } from '@backhaul/contract/nouns/users'
import { call } from '../../doors/api.ts'
import { leaveFor } from '../../doors/leaving.ts'
import { push } from '../../doors/push.ts'
import { createValue, useValue } from '../../ui/value.ts'
import { isWarned, nextDayMs } from './password-warning.ts'

export interface SignedIn {
  configuration: ClientConfiguration
  user: User
}

export const signedIn = createValue<SignedIn | null>(null)
export const applicationUrls = createValue<ApplicationUrls | null>(null)

/** The calls that block the page (GAP-API-20); preferences are the third, see there. */
export async function loadSignedIn(): Promise<SignedIn> {
  const configuration = await call(client.configuration, {})
  const user = await call(client.currentUser, {})
  const loaded = { configuration, user }
  signedIn.set(loaded)
  push.start(configuration)
  return loaded
}

/** The next call, for which the page does not wait. */
export function loadApplicationUrls(): void {
  call(client.applicationUrls, {}).then(applicationUrls.set, () => applicationUrls.set(null))
}

/** The user changed their own data. */
export function noteOwnUser(user: User): void {
  const who = signedIn.get()
  if (who) signedIn.set({ ...who, user })
}

/** The features that core offers may have changed while the page was open. */
export async function readConfigurationAgain(): Promise<void> {
  const configuration = await call(client.configuration, {})
  const before = signedIn.get()
  if (before) signedIn.set({ ...before, configuration })
}

/** Reads again who the user is and what they may do; the screens follow (PU-TIME-05). Answers whether roles changed. */
export async function refreshSignedIn(): Promise<boolean> {
  const before = signedIn.get()
  if (before === null) return false
  const [configuration, user] = await Promise.all([
    call(client.configuration, {}),
    call(client.currentUser, {}),
  ])
  if (signedIn.get() === null) return false
  signedIn.set({ configuration, user })
  return `${configuration.loggedUserRoles}` !== `${before.configuration.loggedUserRoles}`
}

/** No user is known: the console could not start, or the user signed out. */
export function leaveSignedIn(): void {
  push.stop()
  signedIn.set(null)
}

/** Resolves to the second factor that is required in addition to the password, if any. */
export async function signIn(username: string, password: string): Promise<SecondFactorChallenge | undefined> {
  const answer = await call(signIns.signIn, { body: { username, password } })
  return 'secondFactor' in answer ? answer.secondFactor : undefined
}

export function takeSecondStep(body: SecondStep): Promise<unknown> {
  return call(signIns.secondStep, { body })
}

/** True if this installation waits for its first super user; false where core does not answer. */
export function isFirstRun(): Promise<boolean> {
  return call(signIns.firstRun, {}).then(
    ({ isWanted }) => isWanted,
    () => false,
  )
}

export function makeFirstUser(body: FirstUser): Promise<unknown> {
  return call(signIns.makeFirstUser, { body })
}

/** Further ways to sign in here; the password alone where core does not answer. */
export const signInWays = (): Promise<SignInWays> => call(signIns.ways, {}).catch(() => ({ openid: null }))

/**
 * Ends the sign-in, also that at the provider where it began; the page is loaded again so that nothing of this user
 * remains in it.
 */
export async function signOut(): Promise<void> {
  // Its end is no news to this page.
  push.stop()
  const { providerUrl } = await call(signIns.signOut, {}).catch(() => ({ providerUrl: undefined }))
  leaveSignedIn()
  leaveFor(providerUrl ?? '/login')
}

export function useSignedIn(): SignedIn | null {
  return useValue(signedIn)
}

/** True if the role table allows an action; core decides in any case. */
export function useMay(action: Action): boolean {
  const who = useValue(signedIn)
  return who !== null && mayDo(who.configuration.loggedUserRoles, action)
}

/** Kept by this tab alone, so it ends with the session. */
const postponedKey = 'backhaul-password-postponed'

/** The warning about the password is postponed until tomorrow. */
export function postponePassword(): void {
  const { userId } = signedIn.get()?.configuration ?? {}
  sessionStorage.setItem(postponedKey, JSON.stringify([userId, nextDayMs(Date.now())]))
}

/** True if the user must see first that the password expires soon. */
export function isPasswordWarned(): boolean {
  const configuration = signedIn.get()?.configuration
  if (!configuration) return false
  const [userId, untilMs] = JSON.parse(sessionStorage.getItem(postponedKey) ?? '[]') as [string?, number?]
  const postponedUntilMs = userId === configuration.userId ? (untilMs ?? null) : null
  return isWarned({ secondsLeft: configuration.secondsToPwdExpiration, postponedUntilMs, nowMs: Date.now() })
}
