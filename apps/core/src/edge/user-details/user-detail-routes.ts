import type { userDetails as endpoints } from '@backhaul/contract/api/user-details'
import type { Handlers } from '../../doors/api/bind.ts'
import type { UserDetails } from './user-details.ts'

export const userDetailRoutes = (details: UserDetails): Handlers<typeof endpoints> => ({
  ofUser: ({ caller, params }) => details.of(caller, params.id),
})
