import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestClock } from '@backhaul/runtime/clock'
import { afterEach, expect, test } from 'vitest'
import { createRestartNote } from './restart-note.ts'
import { type CoreDouble, startCoreDouble } from './testing/core-double.ts'
import { createScriptedUnit } from './testing/scripted-unit.ts'
import { createUnitDevice } from './unit-device.ts'

const folder = mkdtempSync(join(tmpdir(), 'backhaul-restart-'))
const cleanUps: (() => unknown)[] = [() => rmSync(folder, { recursive: true })]
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(1).toReversed()) await cleanUp()
  await cleanUps[0]?.()
})

/** One process of the unit: it does not see the end of its reboot. */
function start(core: CoreDouble, reboot: () => Promise<void>) {
  const clock = createTestClock()
  const hardware = createScriptedUnit(clock.nowMs)
  let reboots = 0
  hardware.reboot = () => {
    reboots++
    return reboot()
  }
  const device = createUnitDevice({
    coreUrl: core.url,
    identity: { product: 'LU-600', serialNumber: '600-1', name: 'LU600-MTL-03', swVersion: '7.2.1' },
    tokens: { load: () => ({ deviceId: 'u-1', token: 'kept' }), save() {}, clear() {} },
    restartNote: createRestartNote(join(folder, 'unit', 'restarted-by')),
    hardware,
    clock,
    random: () => 0,
  })
  cleanUps.push(device.stop)
  return { device, clock, reboots: () => reboots }
}

test('a reboot that ends the process is done once, and confirmed by the next process', async () => {
  const core = await startCoreDouble(() => 1_700_000_000_000)
  cleanUps.push(core.stop)
  const order = { type: 'order', id: 'o-1', name: 'reboot', args: {}, deadlineMs: 1_700_000_010_000 } as const
  const first = start(core, () => new Promise<never>(() => {}))
  await core.next('report')
  core.send(order)
  expect(await core.next('outcome')).toMatchObject({ id: 'o-1', state: 'accepted' })
  await expect.poll(first.reboots).toBe(1)
  await first.device.stop()

  const second = start(core, async () => {})
  await core.next('hello')
  expect(await core.next('outcome')).toEqual({ type: 'outcome', id: 'o-1', state: 'confirmed' })
  // Core may not have received the outcome, and sends the order again.
  core.send(order)
  expect(await core.next('outcome')).toEqual({ type: 'outcome', id: 'o-1', state: 'confirmed' })
  expect(second.reboots()).toBe(0)

  const refused = start(core, () =>
    Promise.reject(new Error('The machine could not be rebooted: not allowed')),
  )
  await core.next('outcome')
  core.send({ ...order, id: 'o-2' })
  const outcome = () => core.next('outcome').then(({ id, state, reason }) => [id, state, reason])
  expect(await outcome()).toEqual(['o-2', 'accepted', undefined])
  expect(await outcome()).toEqual(['o-2', 'refused', 'The machine could not be rebooted: not allowed'])
  await refused.device.stop()
  start(core, async () => {})
  await core.next('report')
  core.send({ ...order, id: 'o-3' })
  expect(await outcome()).toEqual(['o-3', 'accepted', undefined])
})
