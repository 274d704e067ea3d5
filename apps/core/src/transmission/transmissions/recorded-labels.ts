// The labels of what servers record of a unit: those that it has while it transmits, also when its story changes on air.
import type { Intake } from '@backhaul/contract/gateway/servers'
import { transmissionLabels } from '@backhaul/contract/nouns/recordings'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import { createWrites, type Writes } from '../../database/writes.ts'
import type { ChannelChange, Channels } from '../../fleet/channels/channels.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Events } from '../../world/events.ts'
import { same } from '../../world/same.ts'
import { heldChannelsOf, type OpenTransmission } from './transmission-table.ts'

interface Needs {
  db: Database
  log: Log
  events: Events
  channels: Channels
  units: Units
}

/** Undefined for a unit that is not known. */
export function labelsOf(units: Units, unitId: string): Intake['labels'] {
  const unit = units.kept(unitId)
  return unit && transmissionLabels(unit)
}

export function followLabels(
  { db, log, events, channels, units }: Needs,
  running: ReadonlyMap<string, OpenTransmission>,
): Pick<Writes, 'stored'> {
  const writes = createWrites(log)

  const outdated = (unitId: string): { transmission: OpenTransmission; ids: string[] } | undefined => {
    const transmission = running.get(unitId)
    if (!transmission) return undefined
    const labels = labelsOf(units, unitId)
    const ids = heldChannelsOf(transmission).filter((id) => !same(channels.labels(id), labels))
    return ids.length > 0 ? { transmission, ids } : undefined
  }

  async function label(unitId: string): Promise<void> {
    const found = outdated(unitId)
    const labels = labelsOf(units, unitId)
    if (!found || !labels) return
    const changes = await db.transaction().execute(async (transaction) => {
      const done: (ChannelChange | undefined)[] = []
      for (const id of await channels.hold(transaction, found.ids))
        done.push(await channels.setLabels(transaction, id, found.transmission.id, labels))
      return done
    })
    channels.adopt(changes)
  }

  events.on('unitChanged', ({ unitId }) => {
    if (outdated(unitId)) void writes.add(() => label(unitId), 'labels of recordings not changed', { unitId })
  })

  return { stored: writes.stored }
}
