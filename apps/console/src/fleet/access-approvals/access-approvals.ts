// Support access that customers grant the vendor: all that the vendor may know of, and that of one device.
import { accessApprovals as calls } from '@backhaul/contract/api/access-approvals'
import { call, describeFault, type Fault } from '../../doors/api.ts'
import { createList, readAll } from '../../kit/lists.ts'
import { createValue } from '../../ui/value.ts'

export const approvals = createList(
  'accessApprovals',
  () => readAll((query) => call(calls.list, { query })),
  ({ id }) => id,
)

interface Device {
  uid: string
  name: string
}

export const askedAccess = createValue<Device | null>(null)

/** Opens the question whether the vendor may come to a device. */
export const askForAccess = ({ uid, name }: Device): void => askedAccess.set({ uid, name })

async function faultOf(run: Promise<unknown>): Promise<Fault | undefined> {
  try {
    await run
  } catch (error) {
    return describeFault(error)
  }
}

export const grantAccess = (device: string): Promise<Fault | undefined> =>
  faultOf(call(calls.grant, { body: { device } }))

export const revokeAccess = (id: string): Promise<Fault | undefined> =>
  faultOf(call(calls.revoke, { params: { id } }))

/** From the list of the vendor, which shows at once what became of it. */
export const revokeListed = (id: string): Promise<Fault | undefined> =>
  approvals.change(() => call(calls.revoke, { params: { id } }))
