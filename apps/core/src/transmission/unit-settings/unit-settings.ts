// Settings of units: what may be set to what, checked as a whole before the unit is told.

import { Conflict, type FieldFault, fault, InvalidRequest } from '@backhaul/contract/define/errors'
import type { PlainCode } from '@backhaul/contract/define/refusals'
import { gate } from '@backhaul/contract/nouns/gates'
import {
  type LinkShare,
  settingFaults,
  settingNames,
  type UnitSettings,
} from '@backhaul/contract/nouns/unit-settings'
import type { Unit } from '@backhaul/contract/nouns/units'
import type { Scope } from '../../database/scope.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Transmissions } from '../transmissions/transmissions.ts'

export interface UnitSettingsOfUnits {
  /** As they shall be; throws NotFound. */
  of(scope: Scope, unitId: string): UnitSettings
  /** All of the changes or, when one is refused, none; answers the command's id. */
  configure(caller: Caller, unitId: string, changes: AskedSettings): Promise<string>
}

/** What is not said of a link stays. */
type AskedSettings = Omit<UnitSettings, 'links'> & { links?: Record<string, Partial<LinkShare>> | undefined }

interface Needs {
  units: Units
  channels: Channels
  transmissions: Transmissions
}

export function createUnitSettings({ units, channels, transmissions }: Needs): UnitSettingsOfUnits {
  /** No two units of one server share what their files begin with (VA-UNIT-06). */
  function isPrefixTaken({ uid, channelId, inventoryId }: Unit, prefix: string): boolean {
    const serverId = channelId === null ? undefined : channels.serverOf(channelId)
    if (prefix === '' || serverId === undefined) return false
    return units
      .ofInventory(inventoryId)
      .some(
        (other) =>
          other.uid !== uid &&
          other.filenamePrefix === prefix &&
          channels.serverOf(other.channelId ?? '') === serverId,
      )
  }

  /** What is named by its port goes to links that the unit has; the others, and what each is made of, stay. */
  function merged({ ethernet, links, ...changes }: AskedSettings, before: UnitSettings): UnitSettings {
    requirePorts('ethernet', ethernet, before.ethernet)
    requirePorts('links', links, before.links)
    const sockets = Object.entries(ethernet ?? {}).map(([port, wanted]) => [
      port,
      { ...wanted, mac: before.ethernet?.[port]?.mac ?? '' },
    ])
    const shares = Object.entries(links ?? {}).map(([port, wanted]) => [
      port,
      { ...before.links?.[port], ...wanted },
    ])
    return {
      ...changes,
      ...(ethernet && { ethernet: { ...before.ethernet, ...Object.fromEntries(sockets) } }),
      ...(links && { links: { ...before.links, ...Object.fromEntries(shares) } }),
    }
  }

  return {
    of: (scope, unitId) => units.settings(scope, unitId).settings,
    async configure(caller, unitId, asked) {
      const unit = units.get(caller.scope, unitId)
      const { settings: before } = units.settings(caller.scope, unitId)
      requireSupported(asked, before)
      requireChangeableNow(asked, unit)
      const changes = merged(asked, before)
      const faults = settingFaults(changes, before, unit)
      if (faults.length > 0) throw new InvalidRequest(faults)
      if (changes.filenamePrefix !== undefined && isPrefixTaken(unit, changes.filenamePrefix)) {
        const fields = [fault('filenamePrefix', 'field.notUnique')]
        throw new Conflict('field.notUnique', { fields })
      }
      return await transmissions.configure(caller, unitId, changes)
    },
  }
}

function requirePorts(field: 'ethernet' | 'links', asked: object = {}, known: object = {}): void {
  const unknown = Object.keys(asked).find((port) => !(port in known))
  if (unknown !== undefined) throw InvalidRequest.at(`${field}.${unknown}`, 'unit.noInterface')
}

/** A unit that does not tell of a setting does not have it. */
function requireSupported(changes: AskedSettings, known: UnitSettings): void {
  const fields: FieldFault[] = settingNames(changes)
    .filter((name) => known[name] === undefined)
    .map((field) => fault(field, 'unitSetting.unsupported'))
  if (fields.length > 0) throw new Conflict('unitSetting.unsupported', { fields })
}

/** What its version or what it does just now forbids. */
function requireChangeableNow(
  { totalCapping, cellularCapping, ancillaryData, ...rest }: AskedSettings,
  unit: Unit,
): void {
  const refuse = (field: string, reason: PlainCode) => {
    throw Conflict.at(field, reason)
  }
  if ((totalCapping ?? cellularCapping) !== undefined && unit.busy)
    refuse(totalCapping ? 'totalCapping' : 'cellularCapping', 'capping.whileBusy')
  const ancillary = ancillaryData === undefined ? undefined : gate('ancillary', { unit })
  if (ancillary !== undefined) refuse('ancillaryData', ancillary)
  if (rest.audioChannels !== undefined && rest.audioChannels > 2) {
    const closed = gate('audioParameters', { unit })
    if (closed !== undefined) refuse('audioChannels', closed)
  }
}
