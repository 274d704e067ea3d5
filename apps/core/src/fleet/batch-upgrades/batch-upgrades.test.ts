import { api } from '@backhaul/contract/api/api'
import { causeOf, english } from '@backhaul/contract/define/refusals'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { enginesOfNight } from '../../database/testing.ts'
import { createTestFleet, type NewDevice, type TestDevice, type TestFleet } from '../../testing/fleet.ts'
import type { Browser } from '../../testing.ts'

const { check, run, one, list } = api.batchUpgrades

describe.each(enginesOfNight)('batch upgrades on %s', (engine) => {
  let fleet: TestFleet
  let root: Browser
  beforeEach(async () => {
    fleet = await createTestFleet(engine)
    root = await fleet.signedIn('root')
    await released('9.3')
  })
  afterEach(() => fleet.remove())

  async function joined(name: string, more: Partial<NewDevice> = {}): Promise<TestDevice> {
    const device = await fleet.unit(name, { swVersion: '8.5.0', serialNumber: name, ...more })
    device.report({ capabilities: { upgrade: true, hevc: true } })
    return device
  }
  const released = async (number: string, products = ['LU-600']) =>
    (await root.call(api.softwareVersions.create, { body: { number, path: `r/${number}`, products } })).id
  const csvOf = (...lines: string[]) => ['serialNumber,targetVersion', ...lines].join('\r\n')
  const checked = (...lines: string[]) => root.call(check, { body: { csv: csvOf(...lines) } })
  const states = ({ rows }: Awaited<ReturnType<typeof checked>>) =>
    rows.map(({ line, name, state, reason }) => [line, name, state, reason].join(' ').trim())
  const report = (id: string) => root.call(one, { params: { id } })
  const order = (device: TestDevice) => device.next('order', ({ name }) => name === 'upgrade')

  it('[UPG-006] are checked line by line, run once, and reported until the last device has answered', async () => {
    const idle = await joined('IDLE')
    const busy = await joined('BUSY')
    const gone = await joined('GONE')
    await joined('OLD', { swVersion: '5.0' })
    await joined('OTHER', { product: 'LU-800' })
    busy.report({ applications: { store: { state: 'running' } } })
    gone.socket.close()
    await fleet.pass()
    const batch = await checked(
      'IDLE,9.3',
      'BUSY,9.3',
      'GONE,9.3',
      'OLD,9.3',
      'OTHER,9.3',
      'NONE,9.3',
      'IDLE,9.3',
      'BUSY',
      'OLD,7.7',
    )
    expect(batch).toMatchObject({ by: 'root', startedAt: null })
    const verdicts = [
      '2 IDLE ready',
      `3 BUSY waits ${english('unit.busy')}`,
      `4 GONE waits ${english('unit.offline')}`,
      `5 OLD refused ${english('upgrade.tooOld')}`,
      `6 OTHER refused ${english('upgrade.notAllowed')}`,
      '7  refused Device not found.',
      '8  refused The serial number is in line 2 already.',
      '9  refused The line must have a serial number and a target version.',
      '10  refused The serial number is in line 5 already.',
    ]
    expect(states(batch)).toEqual(verdicts)
    expect(batch.rows[0]).toMatchObject({
      serialNumber: 'IDLE',
      targetVersion: '9.3',
      device: idle.id,
      swVersion: '8.5.0',
    })
    expect(idle.newest('order')).toBeUndefined()
    expect((await root.call(list, { query: {} })).items).toMatchObject([
      { id: batch.id, devices: 9, startedAt: null },
    ])

    const params = { id: batch.id }
    const started = await root.call(run, { params })
    expect(started.startedAt).not.toBeNull()
    expect(started.rows.slice(0, 4).map(({ state }) => state)).toEqual([
      'upgrading',
      'pending',
      'pending',
      'refused',
    ])
    await expect(root.call(run, { params })).rejects.toMatchObject({
      status: 409,
      message: 'This batch has already been started.',
    })
    const { id, args } = await order(idle)
    expect(args).toEqual({ upgradeId: id, version: '9.3', path: 'r/9.3' })

    // The report survives a restart of core.
    await fleet.restart()
    root = await fleet.signedIn('root')
    expect((await report(batch.id)).rows.slice(0, 2).map(({ state }) => state)).toEqual([
      'upgrading',
      'pending',
    ])
    const back = await fleet.again(idle, { swVersion: '9.3', bootId: 'second' })
    await back.greet()
    const again = await fleet.again(busy)
    await again.greet()
    again.report({ applications: {}, state: 'idle', capabilities: { upgrade: true, hevc: true } })
    await fleet.pass(6000)
    const later = await order(again)
    again.send({ type: 'upgradeProgress', upgradeId: later.id, percent: 100, resultCode: 101 })
    await root.call(api.upgrades.clear, { params: { id: gone.id } })
    await fleet.pass()
    expect(states(await report(batch.id)).slice(0, 4)).toEqual([
      '2 IDLE succeeded',
      `3 BUSY failed ${english('upgrade.installFailed')}`,
      '4 GONE cleared',
      `5 OLD refused ${english('upgrade.tooOld')}`,
    ])
    const changes = await root.call(api.audit.list, { query: { action: 'batchUpgrades.run' } })
    expect(changes.items).toMatchObject([
      { username: 'root', result: 'This batch has already been started.' },
      { username: 'root', result: 'done', details: { devices: 3, refused: 6 } },
    ])
  })

  it('[UPG-006] refuse a file that cannot be read, one of 501 devices, and a run in which nothing can be done', async () => {
    const refused = (csv: string) =>
      root.call(check, { body: { csv } }).then(
        () => '',
        ({ fields }) => fields[0].message,
      )
    expect(await refused('serial;version\nA;9.3')).toBe(
      'The first line must be “serialNumber,targetVersion”.',
    )
    expect(await refused(csvOf())).toBe('The file names no device.')
    expect(await refused(csvOf('"A,9.3'))).toBe('Line 2 cannot be read as CSV.')
    const many = Array.from({ length: 501 }, (_, at) => `A-${at},9.3`)
    expect(await refused(csvOf(...many))).toBe('At most 500 devices in a file.')
    const none = await checked(...many.slice(1))
    expect(none.rows).toHaveLength(500)
    await expect(root.call(run, { params: { id: none.id } })).rejects.toMatchObject({
      status: 409,
      message: 'No device of the file can be upgraded.',
    })
    await expect(report('other')).rejects.toMatchObject({ status: 404, message: 'Batch upgrade not found.' })
    const nora = await fleet.signedIn('nora')
    await expect(nora.call(check, { body: { csv: csvOf('A,9.3') } })).rejects.toMatchObject({ status: 403 })
  })

  it('[UPG-006] warn of what is lost, by a code that has its words in every language', async () => {
    const unit = await joined('FROM-9', { swVersion: '9.2.1' })
    await joined('FROM-8')
    await fleet.pass()
    const warned = [{ message: english('upgrade.reset'), cause: causeOf('upgrade.reset') }]
    const batch = await checked('FROM-9,9.3', 'FROM-8,9.3')
    expect(batch.rows.map(({ state, warnings }) => ({ state, warnings }))).toEqual([
      { state: 'ready', warnings: warned },
      { state: 'ready', warnings: [] },
    ])
    const [choice] = await root.call(api.upgrades.choices, { params: { id: unit.id } })
    expect(choice).toMatchObject({ version: '9.3', warnings: warned })
    await root.call(run, { params: { id: batch.id } })
    expect((await report(batch.id)).rows.map(({ warnings }) => warnings)).toEqual([[], []])
  })

  it('[UPG-006] take the version that is meant for the model, and report a target that was replaced', async () => {
    await released('9.4', ['MMH Server'])
    await released('9.4.1')
    const unit = await joined('U-1')
    unit.report({ applications: { store: { state: 'running' } } })
    const hub = await fleet.server('HUB', 1, { serialNumber: 'H-1', swVersion: '9.3' })
    const can = { protocolsIn: ['bonded'], protocolsOut: [], encoders: [], ffmpegVersion: null }
    hub.report({ capabilities: { ...can, upgrade: true } })
    await fleet.pass()
    const batch = await checked('U-1,9.4.1', 'H-1,9.4')
    expect(batch.rows.map(({ state }) => state)).toEqual(['waits', 'ready'])
    await root.call(run, { params: { id: batch.id } })
    expect((await order(hub)).args).toMatchObject({ version: '9.4' })
    const second = await checked('U-1,9.3')
    await root.call(run, { params: { id: second.id } })
    expect((await report(batch.id)).rows.map(({ state }) => state)).toEqual(['replaced', 'upgrading'])
    expect((await report(second.id)).rows.map(({ state }) => state)).toEqual(['pending'])
  })
})
