// Devices found by name or serial number, and what the user may do to them from afar.
import { remoteActions as calls } from '@backhaul/contract/api/remote-actions'
import type { RemoteAction, RemoteActionRequest, RemoteDevice } from '@backhaul/contract/nouns/remote-actions'
import { call, type Fault } from '../../doors/api.ts'
import { createList } from '../../kit/lists.ts'

/** A user looks for one device: more of them are found by more of its name. */
export const shownAtMost = 100

export const devices = createList(
  'remoteActions',
  async (search: string) => {
    const { items, total } = await call(calls.list, { query: { search, limit: shownAtMost } })
    return { items, total, search }
  },
  ({ device }) => device,
)

type Details = Pick<RemoteActionRequest, 'description' | 'versionNumberId' | 'upgradeNow'>

/** The list, which is read again, shows the result. The work of a device is interrupted only if that was confirmed. */
export const actOn = (
  { device, busy: whileBusy }: RemoteDevice,
  action: RemoteAction,
  details: Details = {},
): Promise<Fault | undefined> =>
  devices.change(() => call(calls.act, { body: { device, action, whileBusy, ...details } }))

/** Why the user cannot do it now; undefined: they can. */
export const refusalOf = ({ actions }: RemoteDevice, action: RemoteAction) =>
  actions.find(({ name, refusal }) => name === action && refusal !== null)
