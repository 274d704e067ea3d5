// Settings of units: which values are allowed, checked as a whole before they are sent to the unit.

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
import { workingModeRefusal } from '@backhaul/contract/nouns/working-modes'
import type { Scope } from '../../database/scope.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Transmissions } from '../transmissions/transmissions.ts'

export interface UnitSettingsOfUnits {
  /** The wanted settings; throws NotFound. */
  of(scope: Scope, unitId: string): UnitSettings
  /** All of the changes or, when one is refused, none; answers the command's id. */
  configure(caller: Caller, unitId: string, changes: AskedSettings): Promise<string>
}

/** Fields of a link that are not given are kept. */
type AskedSettings = Omit<UnitSettings, 'links'> & { links?: Record<string, Partial<LinkShare>> | undefined }

interface Needs {
  units: Units
  channels: Channels
  transmissions: Transmissions
}

export function createUnitSettings({ units, channels, transmissions }: Needs): UnitSettingsOfUnits {
  /** The prefix of file names is unique among the units of a server (VA-UNIT-06). */
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

  /** Links that are named by their port are changed; the others, and the hardware fields of each, are kept. */
  function merged({ ethernet, links, ...changes }: AskedSettings, before: UnitSettings): UnitSettings {
    requirePorts('ethernet', ethernet, before.ethernet)
    requirePorts('links', links, before.links)
    const sockets = Object.entries(ethernet ?? {}).map(([port, wanted]) => {
      const { mac = '', powerOverEthernet: power } = before.ethernet?.[port] ?? {}
      if (wanted.powerOverEthernet === true && power === undefined)
        throw InvalidRequest.at(`ethernet.${port}.powerOverEthernet`, 'ethernet.noPower')
      return [
        port,
        {
          ...wanted,
          mac,
          ...(power !== undefined && { powerOverEthernet: wanted.powerOverEthernet ?? power }),
        },
      ]
    })
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
    async configure(caller, unitId, requested) {
      const unit = units.get(caller.scope, unitId)
      const { settings: before } = units.settings(caller.scope, unitId)
      requireSupported(requested, before)
      requireChangeableNow(requested, unit)
      const changes = merged(requested, before)
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

function requirePorts(field: 'ethernet' | 'links', requested: object = {}, known: object = {}): void {
  const unknown = Object.keys(requested).find((port) => !(port in known))
  if (unknown !== undefined) throw InvalidRequest.at(`${field}.${unknown}`, 'unit.noInterface')
}

/** A unit does not support a setting that it does not report. */
function requireSupported(changes: AskedSettings, known: UnitSettings): void {
  const fields: FieldFault[] = settingNames(changes)
    .filter((name) => known[name] === undefined)
    .map((field) => fault(field, 'unitSetting.unsupported'))
  if (fields.length > 0) throw new Conflict('unitSetting.unsupported', { fields })
}

/** Refuses what its version or its present activity forbids. */
function requireChangeableNow(
  { totalCapping, cellularCapping, ancillaryData, workingMode, ...rest }: AskedSettings,
  unit: Unit,
): void {
  const refuse = (field: string, reason: PlainCode) => {
    throw Conflict.at(field, reason)
  }
  if ((totalCapping ?? cellularCapping) !== undefined && unit.busy)
    refuse(totalCapping ? 'totalCapping' : 'cellularCapping', 'capping.whileBusy')
  const unfit = workingMode && workingModeRefusal(unit, workingMode)
  if (unfit !== undefined) refuse('workingMode', unfit)
  const ancillary = ancillaryData === undefined ? undefined : gate('ancillary', { unit })
  if (ancillary !== undefined) refuse('ancillaryData', ancillary)
  if (rest.audioChannels !== undefined && rest.audioChannels > 2) {
    const closed = gate('audioParameters', { unit })
    if (closed !== undefined) refuse('audioChannels', closed)
  }
}
