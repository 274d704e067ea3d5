// The time service of the machine on a bus of the test's own: that of this machine is not touched.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { offerService } from '@backhaul/device/testing/bus-service'
import { systemClock } from '@backhaul/runtime/clock'
import { canRunServices, startPrivateBus } from '@backhaul/runtime/testing/private-bus'
import { until } from '@backhaul/runtime/testing/until'
import { sessionBus, Variant } from '@jellybrick/dbus-next'
import { expect, onTestFinished, test } from 'vitest'
import { followMachine } from './machine-facts.ts'
import { openBus } from './networks/bus.ts'

const timeService = 'org.freedesktop.timedate1'

test.runIf(canRunServices())('heat and the state of the clock are followed', async () => {
  const privateBus = await startPrivateBus()
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-machine-'))
  const zone = join(folder, 'thermal', 'thermal_zone0')
  mkdirSync(zone, { recursive: true })
  writeFileSync(join(zone, 'temp'), '52000\n')
  let turn = () => {}
  let changes = 0
  const machine = followMachine({
    mediaFolder: folder,
    sensorFolder: folder,
    bus: openBus(() => sessionBus({ busAddress: privateBus.address })),
    clock: {
      ...systemClock,
      setInterval(run, periodMs) {
        turn = run
        return systemClock.setInterval(run, periodMs)
      },
    },
    onChange: () => changes++,
  })
  onTestFinished(async () => {
    machine.stop()
    // The end of the connection reaches the bus before the bus ends.
    await new Promise((resolve) => setTimeout(resolve, 200))
    await privateBus.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  await until(() => changes === 2 && machine.facts().storages.length === 1)
  expect(machine.facts().machine).toEqual({ temperatureC: 52, isClockSynchronized: null })

  const { objects } = await offerService(privateBus.address, timeService, {})
  const offer = (isSynchronized: boolean) =>
    objects.set('/org/freedesktop/timedate1', {
      [timeService]: { NTPSynchronized: new Variant('b', isSynchronized) },
    })
  for (const isSynchronized of [false, true]) {
    offer(isSynchronized)
    turn()
    await until(() => machine.facts().machine.isClockSynchronized === isSynchronized)
  }
  writeFileSync(join(zone, 'temp'), '81400\n')
  turn()
  await until(() => machine.facts().machine.temperatureC === 81)
})
