import { hasRegularRole } from '@backhaul/contract/define/roles'
import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useSignedIn } from '../session/sign-ins/sign-ins.ts'
import { loadedBehind } from '../ui/loaded.ts'
import { RegularRole } from '../ui/regular-role.ts'

const ToastList = loadedBehind(async () => (await import('./behind-screen.ts')).partsBehind.ToastList)

/** Parts that every screen needs after sign-in, and signing in does not. */
export function Started() {
  const roles = useSignedIn()?.configuration.loggedUserRoles ?? []
  return (
    <>
      <RegularRole value={hasRegularRole(roles)}>
        <Outlet />
      </RegularRole>
      <Suspense fallback={null}>
        <ToastList />
      </Suspense>
    </>
  )
}
