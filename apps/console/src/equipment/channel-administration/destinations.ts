// The streaming destinations of one channel: read when they are viewed.
import { destinations as calls } from '@backhaul/contract/api/destinations'
import type { DestinationRequest } from '@backhaul/contract/nouns/destinations'
import { call, describeFault, type Fault } from '../../doors/api.ts'

/** Adds one where `id` is undefined. */
export async function saveDestination(
  uid: string,
  id: string | undefined,
  destination: DestinationRequest,
): Promise<Fault | undefined> {
  try {
    if (id === undefined) await call(calls.add, { body: { uid, destination } })
    else await call(calls.update, { body: { uid, id, destination } })
  } catch (error) {
    const fault = describeFault(error)
    const atForm = Object.entries(fault.fields).map(([name, text]) => [
      name.replace('destination.', ''),
      text,
    ])
    return { ...fault, fields: Object.fromEntries(atForm) }
  }
}

export async function removeDestination(uid: string, id: string): Promise<undefined> {
  await call(calls.remove, { body: { uid, id } })
}
