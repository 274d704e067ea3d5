import type { settingsConfigurations as endpoints } from '@backhaul/contract/api/settings-configurations'
import type { SettingsConfiguration } from '@backhaul/contract/nouns/settings-configurations'
import type { Unit } from '@backhaul/contract/nouns/units'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import { requireMachines } from './machines.ts'
import type { Transmissions } from './transmissions.ts'

interface Needs {
  units: Units
  channels: Channels
  inventories: Inventories
}

/** Every unit has one from the beginning. */
const configurationOf = ({ uid, settingsConfiguration }: Unit): SettingsConfiguration =>
  settingsConfiguration ?? { outputChannel: '', multiChannel: '', machineUid: uid }

export function settingsConfigurationRoutes(
  { units, channels, inventories }: Needs,
  transmissions: Transmissions,
): Handlers<typeof endpoints> {
  return {
    one: ({ caller, params }) => configurationOf(units.get(caller.scope, params.machineUid)),
    async add({ caller, body, note }) {
      const { machineUid, outputChannel, multiChannel } = body
      note({ objectId: machineUid, details: body })
      const unit = units.get(caller.scope, machineUid)
      const machines = multiChannel === '' ? [] : [channels.get(caller.scope, multiChannel)]
      await requireMachines(inventories, unit, machines)
      for (const machine of machines) channels.requireJoin(caller, machine)
      const commandId = await transmissions.setChannel(caller, machineUid, outputChannel || null)
      await transmissions.changeMachines(machineUid, () => machines.map(({ uniqueId }) => uniqueId))
      return { accepted: true, commandId }
    },
    ofGroup: async ({ caller, query }) =>
      (await units.ofGroup(caller.scope, query.group)).map(configurationOf),
  }
}
