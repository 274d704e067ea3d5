import type { upgrades as endpoints } from '@backhaul/contract/api/upgrades'
import { Activity } from '@backhaul/contract/nouns/unit-status'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Units } from '../units/units.ts'
import type { Upgrades } from './upgrades.ts'

export function upgradeRoutes(upgrades: Upgrades, units: Units): Handlers<typeof endpoints> {
  const setTarget: Handlers<typeof endpoints>['setTarget'] = async ({ caller, params, body, note }) => {
    const upgrade = await upgrades.setTarget(caller, params.id, body)
    note({ details: { version: upgrade.version, upgradeNow: body.upgradeNow } })
    return upgrade
  }
  return {
    target: ({ caller, params }) => upgrades.target(caller.scope, params.id),
    choices: ({ caller, params }) => upgrades.choices(caller.scope, params.id),
    setTarget,
    async setTargetOfUnit(call) {
      const { caller } = call
      units.get(caller.scope, call.params.id)
      return await setTarget(call)
    },
    async clear({ caller, params }) {
      await upgrades.clear(caller, params.id)
      return { done: true }
    },
    applications: ({ caller }) => {
      const own = units.readable(caller.scope)
      return Activity.options.map((application) => ({
        application,
        units: own.filter(({ applications }) => applications?.[application] !== undefined).length,
      }))
    },
  }
}
