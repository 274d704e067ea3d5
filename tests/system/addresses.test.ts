// A real unit whose Ethernet is managed by the real NetworkManager, in network namespaces of their own: addresses that an
// operator sets are on the interface, and those that cut the unit off are taken off again.
import { mkdirSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:net'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import type { Ethernet } from '@backhaul/contract/nouns/unit-settings'
import { type SupervisedChild, superviseChild } from '@backhaul/runtime/child-process'
import { canRunServices, type PrivateBus, startPrivateBus } from '@backhaul/runtime/testing/private-bus'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { goOnFromEachOther } from '../stage/chains.ts'
import {
  canMakeNamespaces,
  ip,
  makeByIp,
  makeNamespace,
  passOnIn,
  removeNamespace,
} from '../stage/networks.ts'
import { passOn } from '../stage/pass-on.ts'
import { type Person, signIn } from '../stage/person.ts'
import { mainOfStage } from '../stage/programs.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const patienceMs = 120_000
const trialS = 10
const unitSpace = `bh-van-${process.pid}`
const officeSpace = `bh-office-${process.pid}`
const gateway = '10.178.0.1'
const first = '10.178.0.2'
const canRun = canMakeNamespaces() && canRunServices('/usr/sbin/NetworkManager', '/usr/sbin/dnsmasq')

/** What the kernel has on the interface. */
function addresses(): string[] {
  const { stdout } = ip('-n', unitSpace, '-j', '-4', 'addr', 'show', 'dev', 'eth0')
  const [device] = JSON.parse(stdout) as { addr_info?: { local: string; prefixlen: number }[] }[]
  return device?.addr_info?.map(({ local, prefixlen }) => `${local}/${prefixlen}`) ?? []
}

describe.runIf(canRun)('addresses of a unit', () => {
  goOnFromEachOther()
  const programs: SupervisedChild[] = []
  const log: string[] = []
  let bus: PrivateBus
  let stage: Stage
  let person: Person
  let uid = ''
  let port = ''
  let agent: SupervisedChild
  let toCore: Server

  const inSpace = (name: string, command: string, args: readonly string[], env?: NodeJS.ProcessEnv) => {
    const keep = (line: string) => log.push(line)
    const options = { ...(env && { env }), onStdoutLine: keep, onStderrLine: keep }
    const child = superviseChild({
      command: 'ip',
      args: ['netns', 'exec', name, command, ...args],
      killAfterMs: 20_000,
      ...options,
    })
    programs.push(child)
    return child
  }

  function makeNetwork(): void {
    for (const name of [unitSpace, officeSpace]) makeNamespace(name)
    const peer = ['peer', 'name', 'net0', 'netns', officeSpace]
    makeByIp('-n', unitSpace, 'link', 'add', 'eth0', 'type', 'veth', ...peer)
    makeByIp('-n', officeSpace, 'addr', 'add', `${gateway}/24`, 'dev', 'net0')
    makeByIp('-n', officeSpace, 'link', 'set', 'net0', 'up')
  }

  /** NetworkManager as on a unit, with folders of its own; without udev it manages devices only where /sys is read-only. */
  function startNetworkManager(): void {
    const profiles = join(bus.folder, 'profiles')
    mkdirSync(profiles)
    writeFileSync(
      join(profiles, 'eth0.nmconnection'),
      `[connection]\nid=eth0\nuuid=2f8a5a1c-5d0f-4c36-9d7b-0a8a3a3b9f10\ntype=ethernet\ninterface-name=eth0\n
[ipv4]\nmethod=manual\naddress1=${first}/24,${gateway}\n\n[ipv6]\nmethod=disabled\n`,
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
    const files = ['state-file', 'intern-config', 'pid-file'].map(
      (name) => `--${name}=${bus.folder}/nm.${name}`,
    )
    const start = `exec /usr/sbin/NetworkManager --no-daemon --config=${config} --config-dir=${bus.folder}/none ${files.join(' ')}`
    inSpace(unitSpace, 'sh', ['-c', `mount -o remount,ro /sys && ${mounts} && ${start}`], {
      ...process.env,
      DBUS_SYSTEM_BUS_ADDRESS: bus.address,
    })
  }

  /** The part of the office that core is in. */
  async function openWayToCore(): Promise<void> {
    const path = join(bus.folder, 'core')
    toCore = await passOn({ path }, { host: '127.0.0.1', port: Number(new URL(stage.url).port) })
    programs.push(await passOnIn(officeSpace, { host: gateway, port: 8080 }, { path }))
  }

  function startAgent(): SupervisedChild {
    return inSpace(unitSpace, process.execPath, [mainOfStage('agent')], {
      ...process.env,
      DBUS_SYSTEM_BUS_ADDRESS: bus.address,
      BACKHAUL_LOG: 'json',
      BACKHAUL_CORE_URL: `ws://${gateway}:8080/gateway`,
      BACKHAUL_LOCAL_KEY: stage.localKey,
      BACKHAUL_DATA: join(stage.dataFolder, 'agent'),
      BACKHAUL_ADDRESSES_WITHIN_S: String(trialS),
      BACKHAUL_RETURN_PORT: '0',
    })
  }

  beforeAll(async () => {
    bus = await startPrivateBus()
    stage = await openStage({ demo: 0 })
    makeNetwork()
    startNetworkManager()
    await openWayToCore()
    await until('the first address', () => addresses().includes(`${first}/24`), patienceMs)
    agent = startAgent()
    person = await signIn(stage.url, 'admin', adminPassword)
    uid = await until(
      'the unit',
      async () => {
        const units = await person.call(api.units.ofGroup, { query: { group: 'newsroom' } })
        return units.find(({ offline }) => !offline)?.uid
      },
      patienceMs,
    )
    port = await until('its socket', async () => Object.keys((await sockets()) ?? {})[0], patienceMs)
  }, 3 * patienceMs)

  afterAll(async () => {
    for (const program of programs.toReversed()) await program.stop()
    toCore?.close()
    await stage?.stop()
    await bus?.stop()
    for (const name of [unitSpace, officeSpace]) removeNamespace(name)
  })

  const sockets = async () =>
    (await person.call(api.units.configuration, { params: { id: uid } })).settings.ethernet
  const socket = async () => (await sockets())?.[port] as Ethernet
  const command = async () => (await person.call(api.units.byId, { params: { id: uid } })).command
  async function set(changes: Partial<Ethernet>): Promise<string> {
    const ethernet = { [port]: { ...(await socket()), ...changes } }
    const params = { id: uid }
    const { commandId } = await person.call(api.unitSettings.configure, { params, body: { ethernet } })
    return commandId ?? ''
  }
  const ended = (id: string, state: string) =>
    until(
      `the command to be ${state}`,
      async () => {
        const now = await command()
        return now?.id === id && now.state === state ? now : undefined
      },
      patienceMs,
    )

  test('the socket is shown as NetworkManager has set it up', async () => {
    expect(await socket()).toMatchObject({
      dhcp: false,
      ip: first,
      subnetMask: '255.255.255.0',
      defaultGateway: gateway,
      dns1: '',
    })
    const { stdout } = ip('-n', unitSpace, '-j', 'link', 'show', 'dev', 'eth0')
    expect((await socket()).mac).toBe((JSON.parse(stdout) as [{ address: string }])[0].address)
  })

  test(
    '[CONF-003] another address is on the interface once it is confirmed',
    async () => {
      const id = await set({ ip: '10.178.0.7', dns1: '9.9.9.9' })
      await ended(id, 'confirmed')
      expect(addresses()).toEqual(['10.178.0.7/24'])
      expect(await socket()).toMatchObject({ dhcp: false, ip: '10.178.0.7', dns1: '9.9.9.9' })
    },
    2 * patienceMs,
  )

  test(
    'addresses that cut the unit off are given up, and the operator reads why',
    async () => {
      const id = await set({ ip: '10.199.0.9', defaultGateway: '10.199.0.1' })
      await until('the wrong address', () => addresses().includes('10.199.0.9/24'), patienceMs)
      const { reason } = await ended(id, 'refused')
      expect(reason).toBe(
        `With these addresses the unit did not reach core within ${trialS} s; it has returned to the previous ones.`,
      )
      expect(addresses()).toEqual(['10.178.0.7/24'])
      // It is not tried again.
      expect(await socket()).toMatchObject({ ip: '10.178.0.7', defaultGateway: gateway })
      const links = await person.call(api.unitCommands.setLinks, {
        params: { id: uid },
        body: [{ interface: Number(port), priority: 2, enabled: true }],
      })
      await ended(links.commandId ?? '', 'confirmed')
      expect(addresses()).toEqual(['10.178.0.7/24'])
    },
    3 * patienceMs,
  )

  test(
    'a unit whose agent ends during the trial returns to its addresses too',
    async () => {
      await set({ ip: '10.199.0.9', defaultGateway: '10.199.0.1' })
      await until('the wrong address', () => addresses().includes('10.199.0.9/24'), patienceMs)
      process.kill(agent.pid() ?? 0, 'SIGKILL')
      await agent.exited
      await until('the previous address', () => addresses().join() === '10.178.0.7/24', patienceMs)
      agent = startAgent()
      await until(
        'the refusal',
        async () => {
          const { offline, command: now } = await person.call(api.units.byId, { params: { id: uid } })
          return !offline && now?.state === 'refused'
        },
        patienceMs,
      )
      expect(addresses()).toEqual(['10.178.0.7/24'])
    },
    4 * patienceMs,
  )

  test(
    '[CONF-003] DHCP without a server is refused with its reason, and with one the address is that of the lease',
    async () => {
      const without = await set({ dhcp: true })
      await ended(without, 'refused')
      expect(addresses()).toEqual(['10.178.0.7/24'])
      inSpace(officeSpace, '/usr/sbin/dnsmasq', [
        '--keep-in-foreground',
        '--conf-file=/dev/null',
        '--port=0',
        '--interface=net0',
        '--bind-interfaces',
        '--dhcp-range=10.178.0.50,10.178.0.50,255.255.255.0,1h',
        `--dhcp-option=3,${gateway}`,
        '--dhcp-option=6,10.178.0.53',
        `--dhcp-leasefile=${bus.folder}/leases`,
        '--pid-file=',
        '--user=root',
      ])
      await ended(await set({ dhcp: true }), 'confirmed')
      expect(addresses()).toEqual(['10.178.0.50/24'])
      expect(await socket()).toMatchObject({
        dhcp: true,
        ip: '10.178.0.50',
        defaultGateway: gateway,
        dns1: '10.178.0.53',
      })
    },
    6 * patienceMs,
  )
})
