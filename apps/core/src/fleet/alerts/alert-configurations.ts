// From which values on alerts are shown: the settings of groups and units, in memory because every sample needs them.
import { InvalidRequest, NotFound } from '@backhaul/contract/define/errors'
import {
  type AlertsConfiguration,
  type AlertsMode,
  completed,
  configurationFor,
  configurationOfGroup,
  defaultAlertsConfiguration,
  firstConfigurationOfUnit,
} from '@backhaul/contract/nouns/alert-configuration'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { Groups } from '../../people/groups/groups.ts'
import type { Device, Devices } from '../devices/devices.ts'
import type { Units } from '../units/units.ts'

export interface Configurations {
  /** The configuration of a device in a group, or in none. */
  holding(device: Device, groupId: string | undefined): AlertsConfiguration
  /** Throws NotFound for a group outside the caller's scope. */
  ofGroup(scope: Scope, groupId: string): Promise<AlertsConfiguration>
  setOfGroup(scope: Scope, groupId: string, requested: AlertsConfiguration): Promise<AlertsConfiguration>
  /** Throws NotFound for a unit outside the caller's scope. */
  ofUnit(scope: Scope, unitId: string): AlertsConfiguration
  setOfUnit(scope: Scope, unitId: string, requested: AlertsConfiguration): Promise<AlertsConfiguration>
  /** The configuration that the unit would have in this mode; throws InvalidRequest when byGroup names no group. */
  possible(
    scope: Scope,
    unitId: string,
    mode: AlertsMode,
    groupId: string | undefined,
  ): Promise<AlertsConfiguration>
  start(): Promise<void>
}

interface Needs {
  db: Database
  groups: Groups
  devices: Devices
  units: Units
  /** The alerts that are shown of the device may have changed. */
  recheck(device: Device): void
}

export function createConfigurations({ db, groups, devices, units, recheck }: Needs): Configurations {
  const byGroup = new Map<string, AlertsConfiguration>()

  function unit(scope: Scope, unitId: string): Device {
    const { uid } = units.get(scope, unitId)
    const device = devices.get(uid)
    if (!device) throw new NotFound('unit')
    return device
  }
  /** Undefined where nothing was set: for most units, each of which is checked with each of its samples. */
  const setFor = ({ details }: Device) =>
    details.alertsConfiguration && completed(details.alertsConfiguration)
  const ownOf = (device: Device) => setFor(device) ?? firstConfigurationOfUnit

  async function ofGroup(scope: Scope, groupId: string): Promise<AlertsConfiguration> {
    await groups.get(scope, groupId)
    return byGroup.get(groupId) ?? defaultAlertsConfiguration
  }

  return {
    holding: (device, groupId) =>
      configurationFor(
        groupId === undefined ? undefined : byGroup.get(groupId),
        device.kind === 'unit' ? setFor(device) : undefined,
      ),
    ofGroup,
    async setOfGroup(scope, groupId, requested) {
      await groups.saveAlertConfiguration(scope, groupId, requested)
      byGroup.set(groupId, requested)
      const servers = devices.all('server').filter(({ details }) => details.groups?.includes(groupId))
      const members = devices.memberships.membersOf('unit', groupId).flatMap((id) => devices.get(id) ?? [])
      for (const device of [...servers, ...members]) recheck(device)
      return requested
    },
    ofUnit: (scope, unitId) => ownOf(unit(scope, unitId)),
    async setOfUnit(scope, unitId, alertsConfiguration) {
      const device = unit(scope, unitId)
      const change = await db
        .transaction()
        .execute((transaction) =>
          devices.changeDetails(transaction, device.id, (now) => ({ ...now, alertsConfiguration })),
        )
      devices.adoptDetails(change)
      recheck(device)
      return alertsConfiguration
    },
    async possible(scope, unitId, mode, groupId) {
      const device = unit(scope, unitId)
      if (mode === 'automatic') return defaultAlertsConfiguration
      if (mode === 'manual') return { ...ownOf(device), mode }
      if (groupId === undefined) throw InvalidRequest.at('groupId', 'field.required')
      return { ...configurationOfGroup(await ofGroup(scope, groupId)), mode }
    },
    async start() {
      for (const [groupId, configuration] of await groups.alertConfigurations())
        byGroup.set(groupId, configuration)
    },
  }
}
