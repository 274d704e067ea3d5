import { hasRegularRole } from '@backhaul/contract/define/roles'
import { Outlet } from '@tanstack/react-router'
import { useSignedIn } from '../session/sign-ins/sign-ins.ts'
import { RegularRole } from '../ui/regular-role.ts'
import { ToastList } from '../ui/ToastList.tsx'

/** What every screen needs after sign-in, and signing in does not. */
export function Started() {
  const roles = useSignedIn()?.configuration.loggedUserRoles ?? []
  return (
    <>
      <RegularRole value={hasRegularRole(roles)}>
        <Outlet />
      </RegularRole>
      <ToastList />
    </>
  )
}
