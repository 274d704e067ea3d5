import type { channelAdministration as administrationEndpoints } from '@backhaul/contract/api/channel-administration'
import type { channelSettings as settingsEndpoints } from '@backhaul/contract/api/channel-settings'
import type { channels as channelEndpoints } from '@backhaul/contract/api/channels'
import type { unitCommands as endpoints } from '@backhaul/contract/api/units'
import { InvalidRequest } from '@backhaul/contract/define/errors'
import { isMultipointName } from '@backhaul/contract/nouns/channels'
import { SET_CHANNEL_RETRY_MS } from '@backhaul/contract/nouns/commands'
import { SPEED_TEST_S } from '@backhaul/contract/nouns/speed-tests'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import { requireMachines } from './machines.ts'
import type { Transmissions } from './transmissions.ts'

const accepted = (commandId: string) => ({ accepted: true as const, commandId })

/** The channel of a set_virtual_channel; the body of the other commands is empty. */
function channelIn(body: object | undefined): string | null {
  if (!body || !('virtualChannelName' in body))
    throw InvalidRequest.at('virtualChannelName', 'field.required')
  return body.virtualChannelName as string | null
}

export function transmissionRoutes(
  transmissions: Transmissions,
): Handlers<Omit<typeof endpoints, 'setLinks'>> {
  return {
    async command({ caller, params: { id, command }, body, note }) {
      note({ objectId: id, details: { command, ...body } })
      if (command === 'set_virtual_channel')
        return accepted(await transmissions.setChannel(caller, id, channelIn(body)))
      if (command === 'stop_streaming') return accepted(await transmissions.stop(caller, id))
      const whileBusy = body !== undefined && 'whileBusy' in body && body.whileBusy === true
      return accepted(await transmissions.order(caller, id, command, { whileBusy }))
    },
    shutdown: async ({ caller, params }) =>
      accepted(await transmissions.order(caller, params.id, 'shutdown')),
    async speedTest({ caller, params: { id }, query, note }) {
      const seconds = query.timeout ?? SPEED_TEST_S
      const commandId = await transmissions.testSpeed(caller, id, seconds)
      note({ objectId: id, details: { seconds } })
      return accepted(commandId)
    },
    async retriedCommand({ caller, params: { id, cmd, n }, query, body, note }) {
      note({ objectId: id, details: { command: cmd, tries: n, ...body } })
      const retry = { tries: n, intervalMs: query.timeoutMs ?? SET_CHANNEL_RETRY_MS }
      return accepted(await transmissions.setChannel(caller, id, channelIn(body), retry))
    },
    async setDelay({ caller, params, body, note }) {
      note({ details: body })
      return accepted(await transmissions.setDelay(caller, params.id, body.delay))
    },
    async setFixedInternetDelay({ caller, params, body, note }) {
      note({ details: body })
      const commandId = await transmissions.setFixedInternetDelay(caller, params.id, body.delay)
      return { accepted: true, ...(commandId !== undefined && { commandId }) }
    },
    async start({ caller, params, body, note }) {
      note({ details: { ...body } })
      return accepted(await transmissions.start(caller, params.id, body?.channel))
    },
    stop: async ({ caller, params }) => accepted(await transmissions.stop(caller, params.id)),
  }
}

type Multipoint = Pick<typeof channelEndpoints, 'multipoint' | 'updateMultipoint'>
type OfChannel = Pick<typeof administrationEndpoints, 'multipoint'>

interface MultipointNeeds {
  units: Units
  channels: Channels
  inventories: Inventories
}

/** Point-to-multipoint machines are the channels with a name of that form (ST-CHSEL-08). */
export function multipointRoutes(
  { units, channels, inventories }: MultipointNeeds,
  transmissions: Transmissions,
): Handlers<Multipoint> {
  return {
    multipoint({ caller, query }) {
      const unit = units.get(caller.scope, query.uniqueID)
      return channels
        .readable(caller.scope)
        .filter(({ name, inventoryId }) => isMultipointName(name) && inventoryId === unit.inventoryId)
        .map(({ uniqueId: uid, name }) => ({ uid, name, selected: unit.selectedChannels.includes(uid) }))
    },
    async updateMultipoint({ caller, body, note }) {
      const machines = body.machines.map(({ uid }) => uid)
      note({ objectId: body.uniqueID, details: { machines } })
      const unit = units.get(caller.scope, body.uniqueID)
      const wanted = machines.map((id) => channels.get(caller.scope, id))
      await requireMachines(inventories, unit, wanted)
      for (const machine of wanted) {
        if (!unit.selectedChannels.includes(machine.uniqueId)) channels.requireJoin(caller, machine)
      }
      await transmissions.changeMachines(body.uniqueID, () => machines)
      return { accepted: true }
    },
  }
}

/** The same, seen from a machine. */
export function machineRoutes({ units, channels }: MultipointNeeds): Handlers<OfChannel> {
  return {
    async multipoint({ caller, params }) {
      const { inventoryId, uniqueId } = await channels.administration.one(caller.scope, params.id)
      return units
        .ofInventory(inventoryId)
        .map(({ uid, name, selectedChannels }) => ({
          uid,
          name,
          selected: selectedChannels.includes(uniqueId),
        }))
        .sort((a, b) => Number(b.selected) - Number(a.selected) || a.name.localeCompare(b.name))
    },
  }
}

/** The limit of a channel is kept by the unit that sends to it. */
export function limitRoutes(
  { channels }: Pick<MultipointNeeds, 'channels'>,
  transmissions: Transmissions,
): Handlers<Pick<typeof settingsEndpoints, 'limit'>> {
  return {
    async limit({ caller, body, note }) {
      note({ objectId: body.uid, details: body })
      await transmissions.limitChannel(caller.scope, body.uid, body.limit)
      return await channels.administration.one(caller.scope, body.uid)
    },
  }
}
