import type { client } from '@backhaul/contract/api/client'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Preferences } from './preferences.ts'

export function preferenceRoutes(
  preferences: Preferences,
): Handlers<Pick<typeof client, 'preferences' | 'savePreferences'>> {
  return {
    preferences: ({ caller }) => preferences.of(caller.userId),
    savePreferences: async ({ caller, body }) => {
      await preferences.save(caller.userId, body)
      return { done: true }
    },
  }
}
