// Point-to-point units: which channel each transmits to alone, its stream, and the groups that it is in.
import { Conflict, NotFound } from '@backhaul/contract/define/errors'
import { destinationRefusal, type PointToPointUnit, pointToPointRefusal } from '@backhaul/contract/nouns/p2p'
import type { Unit } from '@backhaul/contract/nouns/units'
import type { Scope } from '../../database/scope.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { DeviceAdministration } from '../../fleet/device-administration/device-administration.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Groups } from '../../people/groups/groups.ts'
import type { Transmissions } from '../transmissions/transmissions.ts'

interface Named {
  uid: string
  name: string
}

/** All throw NotFound for a unit outside the caller's scope, and, except `create`, for one without a destination. */
export interface PointToPoint {
  one(scope: Scope, unitId: string): PointToPointUnit
  /**
   * Throws Conflict for a unit of another product or with a destination, and for a channel that does not receive units;
   * NotFound for one outside the caller's scope.
   */
  create(caller: Caller, unitId: string, channelId: string): Promise<PointToPointUnit>
  change(caller: Caller, unitId: string, channelId: string): Promise<PointToPointUnit>
  /** Throws Conflict while the unit transmits. */
  remove(scope: Scope, unitId: string): Promise<void>
  /** Both answer the id under which the command is followed. */
  start(caller: Caller, unitId: string): Promise<string>
  stop(caller: Caller, unitId: string): Promise<string>
  /** The groups of the unit's customer in the caller's scope. */
  groups(scope: Scope, unitId: string): Promise<Named[]>
  selectedGroups(scope: Scope, unitId: string): Promise<Named[]>
  /** Groups outside the caller's scope are kept. */
  setGroups(caller: Caller, unitId: string, groups: string[]): Promise<Named[]>
}

interface Needs {
  groups: Groups
  channels: Channels
  units: Units
  deviceAdministration: DeviceAdministration
  transmissions: Transmissions
}

export function createPointToPoint(needs: Needs): PointToPoint {
  const { groups, channels, units, deviceAdministration, transmissions } = needs

  function known(scope: Scope, unitId: string): Unit & { destinationChannelUid: string } {
    const unit = units.get(scope, unitId)
    const { destinationChannelUid } = unit
    if (destinationChannelUid === null) throw new NotFound('p2p')
    return { ...unit, destinationChannelUid }
  }

  function one(scope: Scope, unitId: string): PointToPointUnit {
    const { uid, name, destinationChannelUid, transmission } = known(scope, unitId)
    return {
      uid,
      name,
      destinationChannelUid,
      destinationChannelName: channels.known(destinationChannelUid)?.name ?? '',
      streaming: transmission !== null,
    }
  }

  async function setDestination(
    caller: Caller,
    unitId: string,
    channelId: string,
  ): Promise<PointToPointUnit> {
    const refusal = destinationRefusal(channels.get(caller.scope, channelId))
    if (refusal !== undefined) throw Conflict.at('destinationChannelUid', refusal)
    await transmissions.setDestination(caller, unitId, channelId)
    return one(caller.scope, unitId)
  }

  return {
    one,
    async create(caller, unitId, channelId) {
      const unit = units.get(caller.scope, unitId)
      const refusal = pointToPointRefusal(unit)
      if (refusal !== undefined) throw new Conflict(refusal)
      if (unit.destinationChannelUid !== null) throw new Conflict('p2p.exists')
      return await setDestination(caller, unitId, channelId)
    },
    async change(caller, unitId, channelId) {
      known(caller.scope, unitId)
      return await setDestination(caller, unitId, channelId)
    },
    async remove(scope, unitId) {
      if (known(scope, unitId).transmission !== null) throw new Conflict('unit.busy')
      await transmissions.removeDestination(unitId)
    },
    async start(caller, unitId) {
      return await transmissions.start(caller, known(caller.scope, unitId).uid)
    },
    async stop(caller, unitId) {
      return await transmissions.stop(caller, known(caller.scope, unitId).uid)
    },
    async groups(scope, unitId) {
      const { inventoryId } = known(scope, unitId)
      const ofCustomer = (await groups.light(scope)).filter((group) => group.inventoryId === inventoryId)
      return ofCustomer.map(({ uid, name }) => ({ uid, name }))
    },
    async selectedGroups(scope, unitId) {
      return await units.groupsOf(scope, known(scope, unitId).uid)
    },
    async setGroups(caller, unitId, requested) {
      known(caller.scope, unitId)
      await deviceAdministration.units.change(caller, unitId, { groups: requested })
      return await units.groupsOf(caller.scope, unitId)
    },
  }
}
