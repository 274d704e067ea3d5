// Reboot and shutdown of units through the doors: by whom, where, and what of a busy unit has to be confirmed.
import { api } from '@backhaul/contract/api/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import { until } from '../../testing/wait.ts'
import type { Browser } from '../../testing.ts'

describe.each(enginesOfNight)('the power of a unit on %s', (engine) => {
  let fleet: TestFleet
  let unit: TestDevice
  let olivia: Browser
  let nora: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    unit = await fleet.unit('VAN')
    olivia = await fleet.signedIn('olivia')
    nora = await fleet.signedIn('nora')
    await until(() => fleet.core.devices.memberships.groupsOf('unit', unit.id).length > 0)
  })
  afterEach(() => fleet.remove())

  const values = () => fleet.core.units.values(unit.id)
  const reboot = (body: { whileBusy?: boolean } = {}, browser = nora) =>
    browser.call(api.unitCommands.command, { params: { id: unit.id, command: 'reboot' }, body })
  const shutDown = (browser = nora) => browser.call(api.unitCommands.shutdown, { params: { id: unit.id } })
  const ordered = (name: string) => unit.next('order', (order) => order.name === name)

  async function begin(): Promise<void> {
    unit.report({ applications: { video: { state: 'streaming' } }, capabilities: { shutdown: true } })
    await until(() => values()?.busy === true && values()?.capabilities.shutdown === true)
  }

  const busy = { status: 409, message: 'Unit is busy.' }

  it('[STREAM-015] reboots a busy unit only when that was confirmed in addition', async () => {
    await begin()
    await expect(reboot()).rejects.toMatchObject(busy)
    await expect(reboot({ whileBusy: false })).rejects.toMatchObject(busy)
    await expect(reboot({ whileBusy: true }, olivia)).rejects.toMatchObject({ status: 403 })
    const { commandId } = await reboot({ whileBusy: true })
    expect(await ordered('reboot')).toMatchObject({ id: commandId, args: {} })
  })

  it('[STREAM-015] shuts down only an idle unit, whose owner and customer allow it', async () => {
    await expect(shutDown(olivia)).rejects.toMatchObject({ status: 403 })
    await expect(shutDown()).rejects.toMatchObject({ status: 409, cause: { code: 'unit.noShutdown' } })
    await begin()
    await expect(shutDown()).rejects.toMatchObject(busy)
    const byCommand = { params: { id: unit.id, command: 'shutdown' as const }, body: { whileBusy: true } }
    await expect(nora.call(api.unitCommands.command, byCommand)).rejects.toMatchObject(busy)
    unit.report({ applications: {} })
    await until(() => values()?.busy === false)
    await fleet.core.inventories.setProperty('north', 'reboot', false)
    await expect(shutDown()).rejects.toMatchObject({ status: 409, message: 'Feature disabled' })
    await fleet.core.inventories.setProperty('north', 'reboot', true)
    const { commandId } = await shutDown()
    expect(await ordered('shutdown')).toMatchObject({ id: commandId })
  })
})
