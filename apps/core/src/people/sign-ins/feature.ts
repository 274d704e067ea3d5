import type { Api } from '../../doors/api/api.ts'
import { bindOpenid } from './openid-routes.ts'
import { changePasswordRoute, signInRoutes } from './sign-in-routes.ts'
import { createSignIns } from './sign-ins.ts'

export function signInsFeature(
  needs: Parameters<typeof createSignIns>[0] & { publicUrl: string | undefined },
) {
  const signIns = createSignIns(needs)
  return {
    face: signIns,
    routes: { signIns: signInRoutes(signIns), users: { changePassword: changePasswordRoute(signIns) } },
    bind: (api: Api) => bindOpenid(api.app, signIns, needs.openid, needs.publicUrl),
    start: signIns.start,
    stop: signIns.stop,
  }
}
