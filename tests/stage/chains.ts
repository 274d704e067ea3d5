/** Tests that each continue where the previous one ended. */
import { afterEach, beforeEach } from 'vitest'

/** After a final failure the rest is skipped: the tests would wait for a state that is never reached. */
export function goOnFromEachOther(): void {
  let broken: { id: string; name: string } | undefined
  beforeEach(({ task, skip }) => {
    if (broken && broken.id !== task.id) skip(`depends on a failed test: ${broken.name}`)
  })
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') broken = task
    else if (broken?.id === task.id) broken = undefined
  })
}
