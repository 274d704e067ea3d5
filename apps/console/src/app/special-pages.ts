// Pages that belong to no area: no menu names them, and no start returns to them.
import { JOIN_PATH, SHARED_RETURN_PATH, VERIFY_PATH } from '@backhaul/contract/nouns/open-paths'

/** They are read without a sign-in, or before what the console needs has been read. */
const open = {
  login: '/login',
  firstRun: '/first_run',
  join: JOIN_PATH,
  verify: VERIFY_PATH,
  sharedReturn: SHARED_RETURN_PATH,
  error: '/error',
  successLogin: '/success_login',
} as const

export const specialPages = {
  ...open,
  start: '/',
  unauthorized: '/unauthorized_user',
  portal: '/customer_portal',
} as const

export const isOpenPath = (pathname: string): boolean => Object.values<string>(open).includes(pathname)

/** Paths that are never saved and never trigger the saved route: error, unauthorized, portal (ST-NAV-03). */
export const isUnsavedPath = (pathname: string): boolean =>
  Object.values<string>(specialPages).includes(pathname)
