/** Tests of which each begins where the last one ended. */
import { afterEach, beforeEach } from 'vitest'

/** After one that failed for good the rest is skipped: each would wait in vain for what never came about. */
export function goOnFromEachOther(): void {
  let broken: { id: string; name: string } | undefined
  beforeEach(({ task, skip }) => {
    if (broken && broken.id !== task.id) skip(`goes on from a test that failed: ${broken.name}`)
  })
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') broken = task
    else if (broken?.id === task.id) broken = undefined
  })
}
