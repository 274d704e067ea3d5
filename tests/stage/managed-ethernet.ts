/**
 * The Ethernet of a unit under the real NetworkManager, in network namespaces: one of the unit with a bus of its own, one of an
 * office with core, and a cable between them.
 */

import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:net'
import { join } from 'node:path'
import { type SupervisedChild, superviseChild } from '@backhaul/runtime/child-process'
import { canRunServices, type PrivateBus, startPrivateBus } from '@backhaul/runtime/testing/private-bus'
import { patientMs } from '@backhaul/runtime/testing/until'
import {
  bytesSent,
  canMakeNamespaces,
  ip,
  makeByIp,
  makeNamespace,
  passOnIn,
  removeNamespace,
} from './networks.ts'
import { passOn } from './pass-on.ts'
import { until } from './until.ts'

const networkManager = '/usr/sbin/NetworkManager'
const patienceMs = patientMs(120_000)
/** The address of the office, and at first of the unit. */
export const officeAddress = '10.178.0.1'
export const firstAddress = '10.178.0.2'

export interface ManagedEthernet {
  /** Core, as the unit reaches it. */
  readonly coreUrl: string
  /** The system bus of the unit. */
  readonly bus: PrivateBus
  /** Removed at the end. */
  readonly folder: string
  /** The addresses of the unit's interface in the kernel: `10.178.0.2/24`. */
  addresses(): string[]
  /** The bytes counted by the kernel on the interface since it was made. */
  bytesSent(): number
  /** The hardware address of the interface. */
  mac(): string
  /** The profiles that NetworkManager has stored, as the text of their files. */
  storedProfiles(): string[]
  /** On the bus of the unit. */
  runInUnit(command: string, args: readonly string[], env?: Readonly<Record<string, string>>): SupervisedChild
  runInOffice(command: string, args: readonly string[]): SupervisedChild
  stop(): Promise<void>
}

/** Whether this machine can have it, with these further programs. */
export const canManageEthernet = (...programs: string[]): boolean =>
  canMakeNamespaces() && canRunServices(networkManager, ...programs)

/** With core at this address of the test. Resolves when the unit has its first address. */
export async function openManagedEthernet(core: string): Promise<ManagedEthernet> {
  const name = randomBytes(4).toString('hex')
  const [unitSpace, officeSpace] = [`bh-van-${name}`, `bh-office-${name}`]
  const programs: SupervisedChild[] = []
  const bus = await startPrivateBus()
  const profiles = join(bus.folder, 'profiles')

  function inSpace(space: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const child = superviseChild({
      command: 'ip',
      args: ['netns', 'exec', space, command, ...args],
      killAfterMs: 20_000,
      env: { ...process.env, ...env },
    })
    programs.push(child)
    return child
  }
  const runInUnit: ManagedEthernet['runInUnit'] = (command, args, env) =>
    inSpace(unitSpace, command, args, { DBUS_SYSTEM_BUS_ADDRESS: bus.address, ...env })

  function makeNetwork(): void {
    for (const space of [unitSpace, officeSpace]) makeNamespace(space)
    const peer = ['peer', 'name', 'net0', 'netns', officeSpace]
    makeByIp('-n', unitSpace, 'link', 'add', 'eth0', 'type', 'veth', ...peer)
    makeByIp('-n', officeSpace, 'addr', 'add', `${officeAddress}/24`, 'dev', 'net0')
    makeByIp('-n', officeSpace, 'link', 'set', 'net0', 'up')
  }

  /** NetworkManager as on a unit, with folders of its own; without udev it manages devices only where /sys is read-only. */
  function startNetworkManager(): void {
    mkdirSync(profiles)
    writeFileSync(
      join(profiles, 'eth0.nmconnection'),
      `[connection]\nid=eth0\nuuid=2f8a5a1c-5d0f-4c36-9d7b-0a8a3a3b9f10\ntype=ethernet\ninterface-name=eth0\n
[ipv4]\nmethod=manual\naddress1=${firstAddress}/24,${officeAddress}\n\n[ipv6]\nmethod=disabled\n`,
      { mode: 0o600 },
    )
    const config = join(bus.folder, 'nm.conf')
    writeFileSync(
      config,
      `[main]\nplugins=keyfile\ndhcp=internal\ndns=none\nauth-polkit=false\nno-auto-default=*\nhostname-mode=none\n
[keyfile]\npath=${profiles}\n`,
    )
    const own = ['/run/NetworkManager', '/var/lib/NetworkManager']
    for (const folder of own) mkdirSync(folder, { recursive: true })
    const mounts = own.map((folder) => `mount -t tmpfs tmpfs ${folder}`).join(' && ')
    const files = ['state-file', 'intern-config', 'pid-file'].map((of) => `--${of}=${bus.folder}/nm.${of}`)
    const start = `exec ${networkManager} --no-daemon --config=${config} --config-dir=${bus.folder}/none ${files.join(' ')}`
    runInUnit('sh', ['-c', `mount -o remount,ro /sys && ${mounts} && ${start}`])
  }

  function addresses(): string[] {
    const { stdout } = ip('-n', unitSpace, '-j', '-4', 'addr', 'show', 'dev', 'eth0')
    const [device] = JSON.parse(stdout) as { addr_info?: { local: string; prefixlen: number }[] }[]
    return device?.addr_info?.map(({ local, prefixlen }) => `${local}/${prefixlen}`) ?? []
  }

  let toCore: Server | undefined
  async function stop(): Promise<void> {
    for (const program of programs.toReversed()) await program.stop()
    toCore?.close()
    await bus.stop()
    for (const space of [unitSpace, officeSpace]) removeNamespace(space)
  }
  async function start(): Promise<void> {
    makeNetwork()
    startNetworkManager()
    const path = join(bus.folder, 'core')
    toCore = await passOn({ path }, { host: '127.0.0.1', port: Number(new URL(core).port) })
    programs.push(await passOnIn(officeSpace, { host: officeAddress, port: 8080 }, { path }))
    await until('the first address', () => addresses().includes(`${firstAddress}/24`), patienceMs)
  }
  await start().catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return {
    coreUrl: `http://${officeAddress}:8080`,
    bus,
    folder: bus.folder,
    addresses,
    bytesSent: () => bytesSent(unitSpace, 'eth0'),
    storedProfiles: () => readdirSync(profiles).map((name) => readFileSync(join(profiles, name), 'utf8')),
    mac() {
      const { stdout } = ip('-n', unitSpace, '-j', 'link', 'show', 'dev', 'eth0')
      return (JSON.parse(stdout) as [{ address: string }])[0].address
    },
    runInUnit,
    runInOffice: (command, args) => inSpace(officeSpace, command, args),
    stop,
  }
}
