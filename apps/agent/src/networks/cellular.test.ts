// Modem settings by operators, on the real NetworkManager and ModemManager with a scripted modem, as far as a
// modem without a radio and a line shows it; a modem with two SIMs takes the place of one.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AtModem, imei, openAtModem } from '@backhaul/device/testing/at-modem'
import { openCarrierLine } from '@backhaul/device/testing/carrier-line'
import { modemManager, startModemManager } from '@backhaul/device/testing/modem-service'
import { openTwoSims, twoSimImei } from '@backhaul/device/testing/two-sims'
import { systemClock } from '@backhaul/runtime/clock'
import { canRunServices, type PrivateBus, startPrivateBus } from '@backhaul/runtime/testing/private-bus'
import { patientMs, until } from '@backhaul/runtime/testing/until'
import { sessionBus } from '@jellybrick/dbus-next'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Bus, openBus } from './bus.ts'
import { type Cellular, openCellular } from './cellular.ts'
import { cellOf, cellularNetworksOf, settingsOf } from './modem-settings.ts'
import { followModems, type Modems } from './modems.ts'
import { openNetworkChoices } from './network-choices.ts'

const networkManager = '/usr/sbin/NetworkManager'
const service = 'org.freedesktop.ModemManager1'
const port = 4
const password = 'sim-password-7'
const patienceMs = patientMs(60_000)

let privateBus: PrivateBus
let bus: Bus
let modems: Modems
let cellular: Cellular
let folder: string
let isReached: boolean
const lines: unknown[] = []
const note = (...entry: unknown[]) => void lines.push(entry)
const log = { debug: note, info: note, warn: note, error: note } as never

beforeEach(async () => {
  privateBus = await startPrivateBus()
  folder = mkdtempSync(join(tmpdir(), 'backhaul-cellular-'))
  isReached = true
  bus = openBus(() => sessionBus({ busAddress: privateBus.address }))
})
afterEach(async () => {
  cellular.stop()
  modems.stop()
  bus.close()
  await privateBus.stop()
  rmSync(folder, { recursive: true, force: true })
})

function follow(): void {
  const options = { clock: systemClock, log, onChange: () => {} }
  modems = followModems({ ...options, bus })
  cellular = openCellular({
    ...options,
    bus,
    modemBus: bus,
    modems,
    choices: openNetworkChoices(join(folder, 'networks.json')),
    portOf: () => port,
    trial: { clock: systemClock, withinS: 1, reachesCore: async () => isReached },
  })
}

const call = (path: string, name: string, member: string, signature = '', body: unknown[] = []) =>
  bus.call({ service, path, interface: `${service}.${name}` }, member, signature, body)

describe.runIf(canRunServices(modemManager))('a modem at ModemManager', () => {
  let atModem: AtModem

  beforeEach(async () => {
    atModem = await openAtModem(`cellular-${process.pid}`)
    await startModemManager(privateBus, atModem)
    follow()
    const found = await until(() => modems.all()[0], patienceMs)
    await call(found.path, 'Modem', 'Enable', 'b', [true])
    await until(() => modems.all()[0]?.details.carrier, patienceMs)
  })
  afterEach(() => atModem.close())

  const sent = (command: RegExp) => atModem.commands.filter((one) => command.test(one))

  test('[CONF-005] reports what it is, its SIM, its cell and its network modes', async () => {
    const facts = await until(() => {
      const [now] = cellular.facts()
      return now?.cellId && now.simA?.iccid ? now : undefined
    }, patienceMs)
    expect(facts).toMatchObject({
      port,
      vendor: 'Maker',
      type: 'Model 5',
      imei,
      simA: { iccid: '8944400510020345678', eid: '' },
      simB: null,
      access: null,
      networkMode: '3G/4G',
      networkModes: ['3G/4G'],
      cellId: 'C3D4',
      locationAreaCode: '1A2B',
      selection: { mode: 'automatic', network: null },
      canScan: true,
    })
  })

  test('refuses what neither service of this machine can set', async () => {
    await expect(cellular.set(port, { networkMode: '4G' }, undefined)).rejects.toThrow(
      'The modem does not support 4G.',
    )
    await expect(cellular.set(port, { apn: 'a' }, undefined)).rejects.toThrow('does not support this setting')
    await expect(cellular.set(port, { dialInString: '*99#' }, undefined)).rejects.toThrow(
      'does not support this setting',
    )
  })

  test('[CONF-007] scans, registers by hand and automatically, and remembers the choice', async () => {
    await cellular.scan(port)
    expect(cellular.scans()[0]).toMatchObject({
      port,
      selected: null,
      networks: [
        { code: '24405', name: 'Carrier A', technology: 'LTE', state: 'current' },
        { code: '24491', name: 'Carrier B', technology: 'LTE', state: 'available' },
      ],
    })
    await cellular.select(port, '24491')
    expect(sent(/^AT\+COPS=1,2,"24491"/)).toHaveLength(1)
    expect(cellular.facts()[0]?.selection).toEqual({ mode: 'manual', network: '24491' })
    expect(openNetworkChoices(join(folder, 'networks.json')).of(imei)).toBe('24491')
    isReached = false
    await expect(cellular.select(port, undefined)).rejects.toThrow('did not reach core')
    expect(cellular.facts()[0]?.selection).toEqual({ mode: 'manual', network: '24491' })
    isReached = true
    await cellular.select(port, undefined)
    expect(cellular.facts()[0]?.selection).toEqual({ mode: 'automatic', network: null })
    atModem.answer('AT+COPS=?', '')
    await expect(cellular.scan(port)).rejects.toThrow('Scan failed, please try again.')
    await expect(cellular.setActiveSim(port, 'B')).rejects.toThrow('There is no SIM in slot B.')
  })
})

describe.runIf(canRunServices())('a modem with two SIMs', () => {
  test('[CONF-006] is found again by its IMEI after the change, enabled, and changes back without core', async () => {
    const modem = await openTwoSims(privateBus.address)
    follow()
    await until(() => cellular.facts()[0]?.simB?.eid, patienceMs)
    expect(cellular.facts()[0]).toMatchObject({
      imei: twoSimImei,
      simA: { iccid: '8944054001020304678', eid: '' },
      simB: { iccid: '8944054001020304679', eid: '89049032000000000000000000000001' },
    })
    const before = modem.path()
    await cellular.setActiveSim(port, 'B')
    expect([modem.slot(), modem.isEnabled(), modem.path() === before]).toEqual([2, true, false])
    expect(modems.all()[0]?.details).toMatchObject({ activeSim: 'B', carrier: 'Other' })
    isReached = false
    await expect(cellular.setActiveSim(port, 'A')).rejects.toThrow('did not reach core within 1 s')
    expect([modem.slot(), modem.isEnabled()]).toEqual([2, true])
  })

  test('[CONF-005] changes its network mode, and changes it back without core', async () => {
    const modem = await openTwoSims(privateBus.address)
    follow()
    await until(() => cellular.facts()[0]?.networkMode === '3G/4G/5G', patienceMs)
    expect(cellular.facts()[0]?.networkModes).toEqual(['3G/4G/5G', '3G/4G', '4G'])
    await cellular.set(port, { networkMode: '4G' }, undefined)
    expect(modem.modes()).toEqual([8, 0])
    expect(cellular.facts()[0]?.networkMode).toBe('4G')
    isReached = false
    await expect(cellular.set(port, { networkMode: '3G/4G' }, undefined)).rejects.toThrow(
      'With this network the unit did not reach core within 1 s',
    )
    expect(modem.modes()).toEqual([8, 0])
    expect(cellular.facts()[0]?.networkMode).toBe('4G')
  })
})

describe.runIf(canRunServices())('a modem that a carrier connects by its APN', () => {
  test('[CONF-005] returns to that APN by itself when another one is wrong, or does not lead to core', async () => {
    const modem = await openTwoSims(privateBus.address)
    const line = await openCarrierLine(privateBus.address, modem.path(), ['news.example', 'other.example'])
    follow()
    await until(() => cellular.facts()[0]?.access?.apn === 'news.example', patienceMs)
    const isAsBefore = () => {
      expect(line.connectedBy()).toBe('news.example')
      expect(line.profiles()).toMatchObject([{ isStored: true, profile: { gsm: { password: {} } } }])
      expect(cellular.facts()[0]?.access).toMatchObject({ apn: 'news.example', hasPassword: true })
    }
    await expect(cellular.set(port, { apn: 'wrong.example' }, undefined)).rejects.toThrow(
      'the network does not accept the APN',
    )
    isAsBefore()
    isReached = false
    const late = 'With this network the unit did not reach core within 1 s'
    await expect(cellular.set(port, { apn: 'other.example' }, undefined)).rejects.toThrow(late)
    isAsBefore()
    // Without its password the profile is another one.
    await expect(cellular.set(port, { apn: 'other.example' }, '')).rejects.toThrow(late)
    isAsBefore()
    isReached = true
    await cellular.set(port, { apn: 'other.example' }, '')
    expect(line.connectedBy()).toBe('other.example')
    expect(line.profiles()).toMatchObject([{ isStored: true }])
    expect(cellular.facts()[0]?.access).toMatchObject({ apn: 'other.example', hasPassword: false })
  })
})

const space = `bh-gsm-${process.pid}`
const ip = (...args: string[]) => spawnSync('ip', args, { encoding: 'utf8' }).status === 0

/** Without udev NetworkManager manages devices only where /sys is read-only: in a namespace of its own. */
function startNetworkManager(): void {
  const config = join(folder, 'nm.conf')
  mkdirSync(join(folder, 'profiles'))
  writeFileSync(
    config,
    `[main]\nplugins=keyfile\ndhcp=internal\ndns=none\nauth-polkit=false\nno-auto-default=*\nhostname-mode=none\n
[keyfile]\npath=${folder}/profiles\n`,
  )
  const own = ['/run/NetworkManager', '/var/lib/NetworkManager']
  for (const path of own) mkdirSync(path, { recursive: true })
  const mounts = own.map((path) => `mount -t tmpfs tmpfs ${path}`).join(' && ')
  const files = ['state-file', 'intern-config', 'pid-file'].map((name) => `--${name}=${folder}/nm.${name}`)
  const start = `exec ${networkManager} --no-daemon --config=${config} --config-dir=${folder}/none ${files.join(' ')}`
  privateBus.run('ip', [
    'netns',
    'exec',
    space,
    'sh',
    '-c',
    `mount -o remount,ro /sys && ${mounts} && ${start}`,
  ])
}

const canRun = canRunServices(modemManager, networkManager) && ip('netns', 'add', space)

describe.runIf(canRun)('a modem that NetworkManager connects', () => {
  let atModem: AtModem
  beforeEach(async () => {
    atModem = await openAtModem(`gsm-${process.pid}`)
    startNetworkManager()
    await startModemManager(privateBus, atModem)
    follow()
    await until(() => cellular.facts()[0]?.access, patienceMs)
  })
  afterEach(() => {
    atModem.close()
    ip('netns', 'del', space)
  })

  test('[CONF-005] dials with the APN, user and network that were set, and keeps them in a profile', async () => {
    const now = () => cellular.facts()[0]?.access
    expect(now()).toEqual({
      username: '',
      authProtocol: 'both',
      automaticApn: true,
      apn: '',
      hasPassword: false,
    })
    const access = {
      automaticApn: false,
      apn: 'news.example',
      username: 'crew',
      authProtocol: 'CHAP',
    } as const
    await cellular.set(port, access, password)
    await expect.poll(now, { timeout: patienceMs }).toEqual({ ...access, hasPassword: true })
    // The effect of both services at the modem.
    await until(() => atModem.commands.some((one) => one === 'AT+CGDCONT=1,"IP","news.example"'), patienceMs)
    await cellular.set(port, { authProtocol: 'none' }, undefined)
    await expect
      .poll(now, { timeout: patienceMs })
      .toEqual({ ...access, authProtocol: 'none', hasPassword: true })
    await cellular.set(port, { automaticApn: true }, '')
    await expect
      .poll(now, { timeout: patienceMs })
      .toMatchObject({ automaticApn: true, apn: '', hasPassword: false })
    expect(JSON.stringify([lines, cellular.facts()])).not.toContain(password)
  })
})

test('a modem offers the modes that it supports, with 2G where it has no other', () => {
  const modes = (SupportedModes: [number, number][], CurrentModes?: [number, number]) => {
    const settings = settingsOf({ SupportedModes, CurrentModes }, {})
    return [settings.mode, Object.fromEntries(settings.modes)]
  }
  expect(
    modes(
      [
        [14, 8],
        [12, 8],
        [8, 0],
      ],
      [14, 8],
    ),
  ).toEqual(['3G/4G', { '3G/4G': [12, 8], '4G': [8, 0] }])
  expect(modes([[30, 16]], [30, 16])).toEqual(['3G/4G/5G', { '3G/4G/5G': [30, 16] }])
  expect(modes([[2, 0]])).toEqual([null, {}])
})

test('a cell is named by its own area or its tracking area, and a network once with all technologies', () => {
  expect(cellOf('244,05,0,C3D4,1A2B')).toEqual({ cellId: 'C3D4', locationAreaCode: '1A2B' })
  expect(cellOf(undefined)).toEqual({ cellId: '', locationAreaCode: '' })
  const found = (technology: number, status: number) => ({
    'operator-code': '24405',
    'operator-long': 'A',
    'access-technology': technology,
    status,
  })
  expect(cellularNetworksOf([found(1 << 14, 2), found(1 << 5, 1), { 'operator-code': '' }])).toEqual([
    { code: '24405', name: 'A', technology: 'LTE / UMTS', state: 'current' },
  ])
})
