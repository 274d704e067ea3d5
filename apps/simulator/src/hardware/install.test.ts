import { createTestClock } from '@backhaul/runtime/clock'
import { expect, test } from 'vitest'
import { createInstall } from './install.ts'

const wanted = { upgradeId: 'ug-1', version: '9.3', path: 'r/9.3' }

test('a simulated unit installs in steps, and fails with the code of what it lacks', async () => {
  const clock = createTestClock()
  let hasNetwork = true
  let hasRoom = true
  const install = createInstall({ clock, hasNetwork: () => hasNetwork, hasRoom: () => hasRoom })
  const reported: number[] = []
  const run = (more: Partial<typeof wanted> = {}) =>
    install({ ...wanted, ...more }, (percent) => reported.push(percent)).then(
      () => undefined,
      ({ code }) => code,
    )
  const whole = run()
  await clock.advanceAsync(20_000)
  expect([await whole, reported.length, reported.at(-1)]).toEqual([undefined, 20, 100])
  const cut = run()
  await clock.advanceAsync(5000)
  hasNetwork = false
  await clock.advanceAsync(5000)
  expect(await cut).toBe(105)
  expect(await run({ path: '' })).toBe(106)
  hasRoom = false
  expect(await run()).toBe(107)
})
