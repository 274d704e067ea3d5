// Publishers, subscribers and their folders, as lists that are read again after each change.
import { shares as calls } from '@backhaul/contract/api/shares'
import type {
  NewPublisher,
  NewSubscriber,
  Publisher,
  ShareFolder,
  Subscriber,
} from '@backhaul/contract/nouns/shares'
import { call, type Fault } from '../../doors/api.ts'
import { changedFields } from '../../kit/changed-fields.ts'
import { createList, readAll, useList } from '../../kit/lists.ts'
import { useGroups } from '../../people/groups/groups.ts'

export const publishers = createList(
  'publishers',
  () => readAll((query) => call(calls.publishers, { query })),
  ({ id }) => id,
)

export const subscribers = createList(
  'subscribers',
  () => readAll((query) => call(calls.subscribers, { query })),
  ({ id }) => id,
)

const folders = createList(
  'shareFolders',
  () => readAll((query) => call(calls.folders, { query })),
  ({ id }) => id,
)

export function savePublisher(before: Publisher | null, request: NewPublisher): Promise<Fault | undefined> {
  const { group: _, ...fields } = request
  return publishers.change(() =>
    before
      ? call(calls.changePublisher, { params: { id: before.id }, body: changedFields(before, fields) })
      : call(calls.createPublisher, { body: request }),
  )
}

export const removePublisher = (id: string): Promise<Fault | undefined> =>
  publishers.change(() => call(calls.removePublisher, { params: { id } }))

/** Begins or ends the sharing of a channel. */
export const setShared = (id: string, channel: string, shared: boolean): Promise<Fault | undefined> =>
  publishers.change(() =>
    shared
      ? call(calls.startSession, { params: { id }, body: { channel } })
      : call(calls.endSession, { params: { id }, query: { channel } }),
  )

export function saveSubscriber(
  before: Subscriber | null,
  request: NewSubscriber,
): Promise<Fault | undefined> {
  return subscribers.change(() =>
    before
      ? call(calls.changeSubscriber, { params: { id: before.id }, body: changedFields(before, request) })
      : call(calls.createSubscriber, { body: request }),
  )
}

export const removeSubscriber = (id: string): Promise<Fault | undefined> =>
  subscribers.change(() => call(calls.removeSubscriber, { params: { id } }))

export const addFolder = (group: string, name: string): Promise<Fault | undefined> =>
  folders.change(() => call(calls.createFolder, { body: { group, name } }))

export const renameFolder = (id: string, name: string): Promise<Fault | undefined> =>
  folders.change(() => call(calls.changeFolder, { params: { id }, body: { name } }))

export const removeFolder = (id: string): Promise<Fault | undefined> =>
  folders.change(() => call(calls.removeFolder, { params: { id } }))

/** All folders within reach, read when the dialog opens. */
export const useFolders = (): readonly ShareFolder[] => useList(folders, []).items

/** The groups of the user as a choice, the present one, and their names. */
export function useGroupChoices() {
  const { groups, current } = useGroups()
  return {
    choices: groups.map(({ uid, name }) => ({ value: uid, label: name })),
    likely: current?.uid ?? groups[0]?.uid ?? '',
    nameOf: (uid: string) => groups.find((one) => one.uid === uid)?.name ?? '',
  }
}
