// File targets of a customer, and the sendings of one file to them.
import { fileTargets as calls } from '@backhaul/contract/api/file-targets'
import {
  type FileSending,
  type FileTarget,
  isSendingOver,
  type NewFileTarget,
} from '@backhaul/contract/nouns/file-targets'
import { call, type Fault } from '../../doors/api.ts'
import { reread } from '../../doors/reads.ts'
import { changedFields } from '../../kit/changed-fields.ts'
import { createList } from '../../kit/lists.ts'

export const targets = createList(
  'fileTargets',
  async (id: string) => ({ items: await call(calls.list, { params: { id } }) }),
  ({ id }) => id,
)

/** An empty secret of a target that is there keeps the one before: it cannot be shown, so it cannot be typed again. */
export function saveTarget(
  id: string,
  before: FileTarget | null,
  request: NewFileTarget,
): Promise<Fault | undefined> {
  if (!before) return targets.change(() => call(calls.create, { params: { id }, body: request }))
  const { secret, kind: _, ...fields } = request
  const body = { ...changedFields(before, fields), ...(secret !== '' && { secret }) }
  return targets.change(() => call(calls.change, { params: { id, targetId: before.id }, body }))
}

const paramsOf = ({ inventoryId: id, id: targetId }: FileTarget) => ({ params: { id, targetId } })

export const removeTarget = (target: FileTarget): Promise<Fault | undefined> =>
  targets.change(() => call(calls.remove, paramsOf(target)))

export const checkTarget = (target: FileTarget): Promise<unknown> => call(calls.check, paramsOf(target))

/** Sendings of one file, read again after each change. */
export const sendingsOf = (fileId: string) => ({ query: { fileId } })

export async function sendFile(fileId: string, targetId: string): Promise<void> {
  await call(calls.send, { body: { fileId, targetId } })
  await reread(calls.sendings, sendingsOf(fileId))
}

export async function cancelSending({ id: sendingId, fileId }: FileSending): Promise<void> {
  await call(calls.cancel, { params: { sendingId } })
  await reread(calls.sendings, sendingsOf(fileId))
}

const [soonMs, laterMs] = [1500, 10_000]

/** Interval until the sendings are read again: short while something moves. */
export const againIn = (sendings: readonly FileSending[] | undefined): number =>
  sendings?.some(({ state }) => !isSendingOver(state)) ? soonMs : laterMs

/** Sent share of the file, 0 to 100. */
export const sentPercent = ({ sizeBytes, sentBytes }: FileSending): number =>
  sizeBytes === 0 ? 100 : Math.floor((sentBytes / sizeBytes) * 100)
