// The IP pipe of a unit: its state while it is viewed, and its settings.
import { channels } from '@backhaul/contract/api/channels'
import { ipPipe as calls } from '@backhaul/contract/api/ip-pipe'
import { units } from '@backhaul/contract/api/units'
import type { IpPipeSettings } from '@backhaul/contract/nouns/ip-pipe'
import type { Unit } from '@backhaul/contract/nouns/units'
import { call, describeFault, type Fault } from '../../doors/api.ts'
import { useAnswer, useRead } from '../../doors/reads.ts'
import { useGroups } from '../../people/groups/groups.ts'

/** Interval at which the state is read. */
const lookEveryMs = 1000

/** The unit as it is now; the given one counts until it is read. */
export function usePipedUnit(unit: Unit): { unit: Unit; again: () => Promise<unknown> } {
  const { data, again } = useAnswer(
    ['unit', unit.uid, 'ipPipe'],
    () => call(units.one, { params: { id: unit.uid } }),
    { everyMs: lookEveryMs },
  )
  return { unit: data ?? unit, again }
}

/** The servers that can hold a pipe of the customer, and the channels of the group; undefined until they are read. */
export function usePipeChoices({ inventoryId }: Pick<Unit, 'inventoryId'>) {
  const group = useGroups().current?.uid ?? ''
  const servers = useRead(calls.servers, { params: { inv: inventoryId }, query: { searchKey: 'ipPipe' } })
  const ofGroup = useRead(channels.ofGroup, { query: { group } }, { isAsked: group !== '' })
  return {
    servers: servers.data?.items,
    channels: ofGroup.data,
    errorText: servers.errorText ?? ofGroup.errorText,
  }
}

/** Undefined when core took it; a fault names the fields of the form. */
export async function setIpPipe(uid: string, body: IpPipeSettings): Promise<Fault | undefined> {
  try {
    await call(calls.setUnit, { params: { id: uid }, body })
  } catch (error) {
    const fault = describeFault(error)
    const ofForm = Object.entries(fault.fields).map(([field, words]) => [`ipPipe.${field}`, words])
    return { ...fault, fields: Object.fromEntries(ofForm) }
  }
}
