// Batch upgrades: the file that is checked, its run, and what came of each line.
import { batchUpgrades as calls } from '@backhaul/contract/api/batch-upgrades'
import {
  type BatchRowState,
  type BatchUpgrade,
  isBatchRowOpen,
} from '@backhaul/contract/nouns/batch-upgrades'
import { call } from '../../doors/api.ts'
import { keepAnswer, reread, useRead } from '../../doors/reads.ts'
import type { Look } from '../../ui/StatusGlyph.tsx'

const everything = { query: { limit: 100 } }
const refreshMs = 2000

export const useBatches = () => useRead(calls.list, everything)

/** The report changes as long as a device has something to do. */
export const useBatch = (id: string | null) =>
  useRead(
    calls.one,
    { params: { id: id ?? '' } },
    {
      isAsked: id !== null,
      everyMs: (batch) => (batch && isOpen(batch) ? refreshMs : undefined),
    },
  )

const isOpen = ({ startedAt, rows }: BatchUpgrade): boolean =>
  startedAt !== null && rows.some(({ state }) => isBatchRowOpen(state))

async function keep(batch: BatchUpgrade): Promise<void> {
  await keepAnswer(calls.one, { params: { id: batch.id } }, batch)
  await reread(calls.list, everything)
}

/** Answers the id of the batch; throws. */
export async function checkFile(csv: string): Promise<string> {
  const batch = await call(calls.check, { body: { csv } })
  await keep(batch)
  return batch.id
}

/** Throws. */
export async function runBatch(id: string): Promise<void> {
  await keep(await call(calls.run, { params: { id } }))
}

/** Lines that a run would upgrade. */
export const runnable = ({ rows }: BatchUpgrade): number =>
  rows.filter(({ state }) => state === 'ready' || state === 'waits').length

const looks: Readonly<Record<BatchRowState, Look>> = {
  ready: { shape: 'ring', tone: 'ready' },
  waits: { shape: 'arc', tone: 'transition' },
  refused: { shape: 'slashedRing', tone: 'offline' },
  pending: { shape: 'arc', tone: 'transition' },
  upgrading: { shape: 'arc', tone: 'transition' },
  succeeded: { shape: 'disc', tone: 'live' },
  failed: { shape: 'octagon', tone: 'critical' },
  rejected: { shape: 'octagon', tone: 'critical' },
  cleared: { shape: 'slashedRing', tone: 'offline' },
  replaced: { shape: 'slashedRing', tone: 'offline' },
}

export const lookOf = (state: BatchRowState): Look => looks[state]
