// Routes made from the table of screens, the cold start, the guards, and what happens after each navigation.

import { mayDo } from '@backhaul/contract/define/actions'
import { Refusal } from '@backhaul/contract/define/errors'
import { isStudioOnly, type Role } from '@backhaul/contract/define/roles'
import {
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  redirect,
  type SearchSchemaInput,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { onSignedOut } from '../doors/api.ts'
import { isLeaving, leaveFor } from '../doors/leaving.ts'
import { push } from '../doors/push.ts'
import { repeated } from '../doors/repeated.ts'
import type { Screen } from '../kit/screen.ts'
import { loadPreferences, preferences, saveCurrentRoute } from '../session/preferences/preferences.ts'
import {
  isFirstRun,
  isPasswordWarned,
  leaveSignedIn,
  loadApplicationUrls,
  loadSignedIn,
  signedIn,
  useSignedIn,
} from '../session/sign-ins/sign-ins.ts'
import { needWords } from '../texts/texts.ts'
import { afterScreen, loaded, loadedOnTheWay, type Preloadable } from '../ui/loaded.ts'
import { ErrorPage } from './ErrorPage.tsx'
import { Forbidden } from './Forbidden.tsx'
import { followLanguage } from './follow-language.ts'
import { pageTitle } from './page-title.ts'
import { watchReads } from './refused-reads.ts'
import { onRolesChanged } from './roles-changed.ts'
import { coldStartPath, easyLivePath, homePath, judge, maySeeError, type Verdict } from './routes.ts'
import { screens } from './screens.ts'
import { isUnsavedPath, specialPages } from './special-pages.ts'

// Each page is loaded when it is opened; the error page is here, since it is for a core that sends none.
const LoginPage = loadedOnTheWay(async () => {
  const [{ LoginPage }] = await Promise.all([
    import('../session/sign-ins/LoginPage.tsx'),
    needWords('signIn'),
  ])
  return LoginPage
})
const FirstRunPage = loaded(async () => (await import('../session/sign-ins/FirstRunPage.tsx')).FirstRunPage)
const JoinPage = loaded(async () => (await import('../people/invitations/JoinPage.tsx')).JoinPage)
const VerifyPage = loaded(async () => (await import('../people/groups/VerifyPage.tsx')).VerifyPage)
const SharedReturnPage = loaded(
  async () => (await import('../equipment/video-return-links/SharedReturnPage.tsx')).SharedReturnPage,
)
const SuccessLoginPage = loaded(
  async () => (await import('../session/sign-ins/SuccessLoginPage.tsx')).SuccessLoginPage,
)
const UnauthorizedPage = loadedOnTheWay(async () => (await import('./UnauthorizedPage.tsx')).UnauthorizedPage)
const fetchBehind = async () => (await import('./behind-screen.ts')).partsBehind
const fetchSignedIn = async () => (await import('./signed-in.ts')).signedInParts
const Started = loadedOnTheWay(async () => (await fetchSignedIn()).Started)
const Shell = loadedOnTheWay(async () => (await fetchSignedIn()).Shell)
const MinimalLayout = loaded(async () => (await import('./MinimalLayout.tsx')).MinimalLayout)
const CustomerPortalPage = loaded(async () => (await import('./CustomerPortalPage.tsx')).CustomerPortalPage)

/** The router loads the page inside a route together with the route. */
const withPreload = (page: Preloadable, route: () => ReactNode): (() => ReactNode) & Preloadable =>
  page.preload ? Object.assign(route, { preload: page.preload }) : route

interface Search {
  ignoreRouteDefault?: string
  next?: string
  expired?: string
  fault?: string
}

watchReads()

const rootRoute = createRootRoute({
  component: Outlet,
  validateSearch: (search: Record<string, unknown> & SearchSchemaInput): Search => {
    const text = (key: keyof Search) => (search[key] === undefined ? {} : { [key]: String(search[key]) })
    return { ...text('ignoreRouteDefault'), ...text('next'), ...text('expired'), ...text('fault') }
  },
})

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: specialPages.login,
  beforeLoad: async () => {
    if (await isFirstRun()) throw redirect({ to: specialPages.firstRun, replace: true })
  },
  component: withPreload(LoginPage, function Login() {
    const { next, expired, fault } = loginRoute.useSearch()
    return <LoginPage next={next} expired={expired !== undefined} fault={fault} />
  }),
})

const firstRunRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: specialPages.firstRun,
  beforeLoad: async () => {
    if (!(await isFirstRun())) throw redirect({ to: specialPages.login, replace: true })
  },
  component: FirstRunPage,
})

/** A page without a sign-in; its code is after the #, which the browser does not send. */
const joinRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: specialPages.join,
  component: function Join() {
    return (
      <JoinPage code={decodeURIComponent(joinRoute.useMatch({ select: () => location.hash.slice(1) }))} />
    )
  },
})

const verifyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: specialPages.verify,
  component: function Verify() {
    return (
      <VerifyPage
        token={decodeURIComponent(verifyRoute.useMatch({ select: () => location.hash.slice(1) }))}
      />
    )
  },
})

const sharedReturnRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: specialPages.sharedReturn,
  component: function SharedReturn() {
    const token = sharedReturnRoute.useMatch({ select: () => location.hash.slice(1) })
    return <SharedReturnPage token={decodeURIComponent(token)} />
  },
})

const errorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: specialPages.error,
  // Until the console has started, no roles are known, so the page is shown; once it can, the roles decide.
  beforeLoad: async () => {
    const started = signedIn.get() !== null || (await start().catch(() => false))
    if (started === false) return
    if (isStudioOnly(rolesNow())) throw redirect({ href: easyLivePath, replace: true })
    if (!maySeeError(rolesNow())) throw redirect({ href: homePath, replace: true })
  },
  component: ErrorPage,
})

const unauthorizedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: specialPages.unauthorized,
  beforeLoad: async () => {
    if (signedIn.get() === null) await start().catch(() => {})
    if (isStudioOnly(rolesNow())) throw redirect({ href: easyLivePath, replace: true })
  },
  component: UnauthorizedPage,
})

const successLoginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: specialPages.successLogin,
  beforeLoad: async () => {
    if (signedIn.get() === null) await loadSignedIn().catch(() => {})
    if (!isPasswordWarned()) throw redirect({ href: homePath, replace: true })
  },
  component: function SuccessLogin() {
    return <SuccessLoginPage next={successLoginRoute.useSearch().next} />
  },
})

const rolesNow = (): readonly Role[] => signedIn.get()?.configuration.loggedUserRoles ?? []

interface Typed {
  pathname: string
  href: string
}

/** Core starts, or has no database for a moment. */
const isNotReady = (error: unknown): boolean => error instanceof Refusal && error.status === 503

/** Loads who is signed in and what is remembered; a failure of either is the failure of the start. */
async function start(): Promise<void> {
  const working = Promise.all([fetchSignedIn(), needWords('list')])
  try {
    const { user } = await repeated(loadSignedIn, isNotReady)
    await repeated(() => loadPreferences(user.id), isNotReady)
    loadApplicationUrls()
    await followLanguage()
    await working
  } catch (error) {
    leaveSignedIn()
    throw error
  }
  if (!mayDo(rolesNow(), 'watchTransmissions')) return
  ;(await working)[0].startWork()
  void afterScreen(async () => (await fetchBehind()).startWorkBehind())
}

/** Decides where this start of the console goes. */
async function coldStart({ pathname, href }: Typed): Promise<void> {
  if (signedIn.get() !== null) return
  try {
    await start()
  } catch (error) {
    // A 401 has begun its way to the login page already: this page ends with that load.
    if (error instanceof Refusal && error.status === 401) return new Promise<never>(() => {})
    throw redirect({ to: specialPages.error, replace: true })
  }
  if (isPasswordWarned())
    throw redirect({ href: `${specialPages.successLogin}?next=${encodeURIComponent(href)}`, replace: true })
  const target = coldStartPath({ pathname, href }, preferences.get().currentRoute)
  if (target !== href) throw redirect({ href: target, replace: true })
}

/** Routes that require a sign-in, with what is stored for the user. */
const startedRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'started',
  beforeLoad: ({ location }) => coldStart({ pathname: location.pathname, href: location.href }),
  component: Started,
})

const shellRoute = createRoute({ getParentRoute: () => startedRoute, id: 'shell', component: Shell })

/** Pages without sidebar and full top bar. */
const loneRoute = createRoute({ getParentRoute: () => startedRoute, id: 'lone', component: MinimalLayout })

const indexRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: specialPages.start,
  beforeLoad: () => {
    throw redirect({ href: preferences.get().currentRoute ?? homePath, replace: true })
  },
})

/** The routes of the screens in one frame. */
const routesIn = (frame: typeof shellRoute | typeof loneRoute, shown: readonly Screen[]) =>
  shown.map((screen) =>
    createRoute({
      getParentRoute: () => frame,
      path: screen.path,
      beforeLoad: ({ location }) => void guard(screen, location.search as Search),
      component: withPreload(screen.component, () => <Guarded screen={screen} />),
    }),
  )

const shellScreens = routesIn(
  shellRoute,
  screens.filter(({ isAlone }) => !isAlone),
)
const loneScreens = routesIn(
  loneRoute,
  screens.filter(({ isAlone }) => isAlone),
)

function guard({ guard }: Pick<Screen, 'guard'>, search: Search): Verdict {
  const ignoreRouteDefault = search.ignoreRouteDefault !== undefined
  const verdict = judge({ ignoreRouteDefault, roles: rolesNow(), guard })
  if (verdict === 'studio') throw redirect({ href: easyLivePath, replace: true })
  if (verdict === 'unauthorized') throw redirect({ to: specialPages.unauthorized, replace: true })
  if (verdict === 'home') throw redirect({ href: homePath, replace: true })
  return verdict
}

/** The start page of a customer; its address is never remembered and never gives way to the remembered one (RT-STD-03). */
const customerPortalRoute = createRoute({
  getParentRoute: () => loneRoute,
  path: specialPages.portal,
  beforeLoad: ({ location }) => void guard({ guard: 'everyone' }, location.search as Search),
  component: CustomerPortalPage,
})

function Guarded({ screen }: { screen: Screen }) {
  // Roles change while the page is open.
  useSignedIn()
  const verdict = judge({ ignoreRouteDefault: true, roles: rolesNow(), guard: screen.guard })
  return verdict === 'open' ? <screen.component /> : <Forbidden />
}

/** An unknown path opens the unit list; the path itself is not kept (SHELL-002). */
const unknownRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '$',
  beforeLoad: () => {
    throw redirect({ href: homePath, replace: true })
  },
})

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    loginRoute,
    firstRunRoute,
    joinRoute,
    verifyRoute,
    sharedReturnRoute,
    errorRoute,
    unauthorizedRoute,
    successLoginRoute,
    startedRoute.addChildren([
      shellRoute.addChildren([indexRoute, ...shellScreens, unknownRoute]),
      loneRoute.addChildren([...loneScreens, customerPortalRoute]),
    ]),
  ]),
  defaultPreload: false,
  // Plain text in the query, as users write it by hand; the library's own way would quote it.
  parseSearch: (query) => Object.fromEntries(new URLSearchParams(query)),
  stringifySearch: (search) => {
    const texts = Object.entries(search).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    )
    return texts.length === 0 ? '' : `?${new URLSearchParams(texts)}`
  },
})

function loginPath(asked: string): string {
  const { start, login } = specialPages
  return asked === start ? login : `${login}?next=${encodeURIComponent(asked)}`
}

router.subscribe('onResolved', ({ toLocation }) => {
  const { pathname, href } = toLocation
  document.title = pageTitle(pathname)
  if (signedIn.get() === null || isUnsavedPath(pathname)) return
  saveCurrentRoute(withoutIgnoredRoute(href))
  void afterScreen(async () => (await fetchBehind()).reportPageVisit(pathname))
})

/** The request to keep a typed route belongs to one navigation, not to what is remembered. */
function withoutIgnoredRoute(href: string): string {
  const url = new URL(href, location.origin)
  url.searchParams.delete('ignoreRouteDefault')
  return url.pathname + url.search + url.hash
}

onRolesChanged(() => void router.invalidate())

function leaveToLogin(): void {
  const { pathname, href } = router.state.location
  // Several calls may be refused before the page is gone.
  if (pathname === specialPages.login || isLeaving()) return
  const expired = signedIn.get() !== null
  // A full load, so that no data of the previous user remain in the page.
  leaveFor(`${loginPath(href)}${expired ? '&expired=1' : ''}`)
}

onSignedOut(leaveToLogin)
push.onSignInEnded(leaveToLogin)
