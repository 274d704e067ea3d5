// The graphics of a customer, their pictures, and which of them is on a channel.
import { overlays as calls } from '@backhaul/contract/api/overlays'
import { services } from '@backhaul/contract/api/services'
import type { NewOverlay, Overlay, OverlayChoice } from '@backhaul/contract/nouns/overlays'
import { call, type Fault } from '../../doors/api.ts'
import { createList } from '../../kit/lists.ts'

export const graphics = createList(
  'graphics',
  async (id: string) => ({ items: await call(calls.list, { params: { id } }) }),
  ({ id }) => id,
)

export const addGraphic = (id: string, body: NewOverlay): Promise<Fault | undefined> =>
  graphics.change(() => call(calls.create, { params: { id }, body }))

export const removeGraphic = ({ inventory: id, id: overlayId }: Overlay): Promise<Fault | undefined> =>
  graphics.change(() => call(calls.remove, { params: { id, overlayId } }))

/** Source of an image from its data. */
export const sourceOf = (png: string): string => `data:image/png;base64,${png}`

/** Names of the services of graphics that are in force for the customer. */
export async function graphicsServices(inventoryId: string): Promise<string[]> {
  const query = { serviceName: ['graphics'] }
  const all = await call(services.status, { params: { current: inventoryId }, query })
  return all.filter(({ status }) => status === 'ENABLED').map(({ serviceName }) => serviceName)
}

/** null removes it. */
export const layOver = (channelId: string, choice: OverlayChoice | null): Promise<unknown> =>
  choice
    ? call(calls.choose, { params: { id: channelId }, body: choice })
    : call(calls.clear, { params: { id: channelId } })
