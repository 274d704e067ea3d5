// The properties of this machine that the tests depend on.
import { spawnSync } from 'node:child_process'

/** The starts of Node that are timed; the fastest shows the speed of the machine, the others its load. */
const STARTS = 5

/** A start of Node takes some 40 ms, and 100 in a virtual machine without nested page tables, where every process is slow. */
const SLOW_START_MS = 75

/** Whether everything takes a multiple of its usual time here. */
export function isSlowMachine(): boolean {
  const starts = Array.from({ length: STARTS }, () => {
    const beganMs = performance.now()
    spawnSync(process.execPath, ['-e', '0'])
    return performance.now() - beganMs
  })
  return Math.min(...starts) > SLOW_START_MS
}
