// A real unit whose Ethernet is managed by the real NetworkManager, in network namespaces of their own: addresses that an
// operator sets are on the interface, and those that cut the unit off are taken off again.
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import type { Ethernet } from '@backhaul/contract/nouns/unit-settings'
import type { SupervisedChild } from '@backhaul/runtime/child-process'
import { signalProcess } from '@backhaul/runtime/testing/processes'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { goOnFromEachOther } from '../stage/chains.ts'
import {
  canManageEthernet,
  firstAddress,
  type ManagedEthernet,
  officeAddress,
  openManagedEthernet,
} from '../stage/managed-ethernet.ts'
import { type Person, signIn } from '../stage/person.ts'
import { mainOfStage } from '../stage/programs.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const patienceMs = patientMs(120_000)
const trialS = 10
const canRun = canManageEthernet('/usr/sbin/dnsmasq')

describe.runIf(canRun)('addresses of a unit', () => {
  goOnFromEachOther()
  let stage: Stage
  let person: Person
  let uid = ''
  let port = ''
  let agent: SupervisedChild
  let network: ManagedEthernet

  function startAgent(): SupervisedChild {
    return network.runInUnit(process.execPath, [mainOfStage('agent')], {
      BACKHAUL_LOG: 'json',
      BACKHAUL_CORE_URL: network.coreUrl,
      BACKHAUL_LOCAL_KEY: stage.localKey,
      BACKHAUL_DATA: join(stage.dataFolder, 'agent'),
      BACKHAUL_ADDRESSES_WITHIN_S: String(trialS),
      BACKHAUL_RETURN_PORT: '0',
    })
  }

  beforeAll(async () => {
    stage = await openStage({ demo: 0 })
    network = await openManagedEthernet(stage.url)
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
    await network?.stop()
    await stage?.stop()
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
      ip: firstAddress,
      subnetMask: '255.255.255.0',
      defaultGateway: officeAddress,
      dns1: '',
    })
    expect((await socket()).mac).toBe(network.mac())
  })

  test(
    '[CONF-003] another address is on the interface once it is confirmed',
    async () => {
      const id = await set({ ip: '10.178.0.7', dns1: '9.9.9.9' })
      await ended(id, 'confirmed')
      expect(network.addresses()).toEqual(['10.178.0.7/24'])
      expect(await socket()).toMatchObject({ dhcp: false, ip: '10.178.0.7', dns1: '9.9.9.9' })
    },
    2 * patienceMs,
  )

  test(
    'addresses that cut the unit off are given up, and the operator reads why',
    async () => {
      const id = await set({ ip: '10.199.0.9', defaultGateway: '10.199.0.1' })
      await until('the wrong address', () => network.addresses().includes('10.199.0.9/24'), patienceMs)
      const { reason } = await ended(id, 'refused')
      expect(reason).toBe(
        `With these addresses the unit did not reach core within ${trialS} s; it has returned to the previous ones.`,
      )
      expect(network.addresses()).toEqual(['10.178.0.7/24'])
      // It is not tried again.
      expect(await socket()).toMatchObject({ ip: '10.178.0.7', defaultGateway: officeAddress })
      const links = await person.call(api.unitCommands.setLinks, {
        params: { id: uid },
        body: [{ interface: Number(port), priority: 2, enabled: true }],
      })
      await ended(links.commandId ?? '', 'confirmed')
      expect(network.addresses()).toEqual(['10.178.0.7/24'])
    },
    3 * patienceMs,
  )

  test(
    'a unit whose agent ends during the trial returns to its addresses too',
    async () => {
      await set({ ip: '10.199.0.9', defaultGateway: '10.199.0.1' })
      await until('the wrong address', () => network.addresses().includes('10.199.0.9/24'), patienceMs)
      signalProcess(agent.pid(), 'SIGKILL')
      await agent.exited
      await until('the previous address', () => network.addresses().join() === '10.178.0.7/24', patienceMs)
      agent = startAgent()
      await until(
        'the refusal',
        async () => {
          const { offline, command: now } = await person.call(api.units.byId, { params: { id: uid } })
          return !offline && now?.state === 'refused'
        },
        patienceMs,
      )
      expect(network.addresses()).toEqual(['10.178.0.7/24'])
    },
    4 * patienceMs,
  )

  test(
    '[CONF-003] DHCP without a server is refused with its reason, and with one the address is that of the lease',
    async () => {
      const without = await set({ dhcp: true })
      await ended(without, 'refused')
      expect(network.addresses()).toEqual(['10.178.0.7/24'])
      network.runInOffice('/usr/sbin/dnsmasq', [
        '--keep-in-foreground',
        '--conf-file=/dev/null',
        '--port=0',
        '--interface=net0',
        '--bind-interfaces',
        '--dhcp-range=10.178.0.50,10.178.0.50,255.255.255.0,1h',
        `--dhcp-option=3,${officeAddress}`,
        '--dhcp-option=6,10.178.0.53',
        `--dhcp-leasefile=${network.folder}/leases`,
        '--pid-file=',
        '--user=root',
      ])
      await ended(await set({ dhcp: true }), 'confirmed')
      expect(network.addresses()).toEqual(['10.178.0.50/24'])
      expect(await socket()).toMatchObject({
        dhcp: true,
        ip: '10.178.0.50',
        defaultGateway: officeAddress,
        dns1: '10.178.0.53',
      })
    },
    6 * patienceMs,
  )
})
