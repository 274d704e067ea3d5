// Support access that customers grant the vendor: all in the scope of the user, and that of one device.
import { accessApprovals as calls } from '@backhaul/contract/api/access-approvals'
import { useEffect, useRef } from 'react'
import { call, describeFault, type Fault } from '../../doors/api.ts'
import { push } from '../../doors/push.ts'
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

/** Calls it when the access to the device changes, and when it may have changed since it was last read. */
function followAccess(uid: string, onChange: () => void): () => void {
  let isKnown = false
  return push.subscribe(`access.${uid}`, ({ data }) => {
    const { accessChangedAt } = data as { accessChangedAt: number | null }
    // A core that has not seen a change since its start sends none to one who has just read.
    const isNews = isKnown || accessChangedAt !== null
    isKnown = true
    if (isNews) onChange()
  })
}

/**
 * Runs `read` again when the access of support to one of the devices has been granted, used or ended; once for all that
 * come at the same time. Only for those who may list approvals.
 */
export function useAccessNews(uids: readonly string[], read: () => unknown): void {
  const latest = useRef(read)
  latest.current = read
  const all = uids.join(' ')
  useEffect(() => {
    let isDue = false
    const soon = () => {
      if (isDue) return
      isDue = true
      queueMicrotask(() => {
        isDue = false
        latest.current()
      })
    }
    const stops = all.split(' ').flatMap((uid) => (uid === '' ? [] : followAccess(uid, soon)))
    return () => {
      for (const stop of stops) stop()
    }
  }, [all])
}
