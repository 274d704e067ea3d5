/** Everything that core can want of a unit or order from it, and everything that a unit can report, on a simulated unit. */
import { dirname } from 'node:path'
import type { UnitWanted } from '@backhaul/contract/gateway/units'
import type { UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import { until } from '../stage/until.ts'
import { sessionKey } from './received-picture.ts'
import { intakeOf, isIn } from './server-reception.ts'
import { wantedChannel } from './server-under-test.ts'
import {
  confirmed,
  joinsAgain,
  messages,
  ordersForServers,
  restartsBy,
  sendsLog,
  stopsLog,
} from './shared-cases.ts'
import { listed, record, smallestFile, uploaded } from './simulated-unit-card.ts'
import { simulatedLinkCases, simulatedNetworkCases } from './simulated-unit-networks.ts'
import { portsOf, sentKbps, simulatedSettingCases } from './simulated-unit-settings.ts'
import { fetches } from './simulated-video-return.ts'
import { first, type Simulated, second, targetsOf, transmitting } from './simulation.ts'
import type { UnitAtCore } from './unit-at-core.ts'
import { isRefused, unitMessages } from './unit-cases.ts'
import { audible, talks } from './unit-talk.ts'
import type { Absence, Cases, Look } from './verdicts.ts'

type Unit = Simulated<UnitAtCore>

/** The sound of a simulated crew. */
const crewHertz = 660

const session = {
  id: 'session-1',
  key: sessionKey.toString('base64'),
  targets: [{ host: '192.0.2.1', port: 20_000 }],
}

/** It does not claim it, and refuses it. */
const without = (
  capability: string,
  changes: Partial<UnitWanted>,
  back: Partial<UnitWanted>,
  reason: string,
): Absence<Unit> => ({
  reason,
  async check(unit) {
    if (unit.actual().capabilities?.[capability]) throw new Error('it is among its capabilities')
    return await isRefused(unit, changes, back)
  },
})

/** Another channel, and a transmission to it. */
const changesChannel: Look<Unit> = (unit) =>
  transmitting(unit, async () => {
    const { server } = unit
    const selected = () => unit.actual().channelId
    if (selected() !== first) throw new Error(`its channel is ${selected()}`)
    const intake = intakeOf('moved')
    const { transmissionId: id, key } = intake
    await server.want([wantedChannel('1'), wantedChannel('2', { intake })])
    const transmission = { id, channelId: second, key, targets: targetsOf(server, '2') }
    await unit.want({ channelId: second, transmission })
    await isIn(server, '2', 'collecting')
    const kbps = await until('its rate', () => server.channel(second)?.kbps)
    await isIn(server, '1', 'idle')
    if (selected() !== second) throw new Error(`its channel is ${selected()}`)
    return `the other channel receives ${kbps} kbit/s in place of the first`
  })

/** Packets that are lost permanently with this delay, when the only link of the unit carries less at once. */
async function lostWith(unit: Unit, delayMs: number): Promise<number> {
  const [socket = 0] = portsOf(unit, 'ethernet')
  const shares = unit.actual().settings?.links ?? {}
  const carrying = (limitKbps: number): UnitSettings => ({
    links: { ...shares, [socket]: { priority: 1, limitKbps } },
  })
  await unit.want({ delayMs, disabledLinks: portsOf(unit, 'modem', 'wifi') })
  try {
    return await transmitting(
      unit,
      async () => {
        const lost = () => unit.server.channel(first)?.uncorrected ?? 0
        await until('the link to carry what it can', () => sentKbps(unit) > 2200)
        const before = lost()
        await unit.withSettings(carrying(2000), () =>
          until('the encoder to have followed', () => sentKbps(unit) < 1600),
        )
        return lost() - before
      },
      { settings: carrying(3000) },
    )
  } finally {
    await unit.want({ delayMs: 1000, disabledLinks: [] })
  }
}

const repairsLonger: Look<Unit> = async (unit) => {
  const [short, long] = [await lostWith(unit, 300), await lostWith(unit, 3000)]
  if (short === 0 || long > 0) throw new Error(`${short} packets are lost with 300 ms, ${long} with 3000`)
  return `when a link carries less at once, ${short} packets are lost with 300 ms, none with 3000`
}

const wantedCases: Cases<Unit> = {
  async 'wanted transmission'(unit) {
    const kbps = await transmitting(unit, async () => unit.server.channel(first)?.kbps)
    await until('nothing to be sent', () => unit.sample()?.encoderKbps === null)
    return `the channel received ${kbps} kbit/s, until the end`
  },
  'wanted channelId': changesChannel,
  'wanted delayMs': repairsLonger,
  'wanted disabledLinks': (unit) =>
    transmitting(unit, async () => {
      const modems = portsOf(unit, 'modem')
      await until('the modems to carry', () => sentKbps(unit, modems) > 50)
      await unit.want({ disabledLinks: modems })
      await until('the modems to carry nothing', () => sentKbps(unit, modems) === 0)
      if (unit.actual().links?.some(({ port, enabled }) => enabled && modems.includes(port)))
        throw new Error('they are reported as enabled')
      await unit.want({ disabledLinks: [] })
      await until('the modems to carry again', () => sentKbps(unit, modems) > 50)
      return '0 kbit/s over the links until they are enabled again'
    }),
  'wanted videoReturn': (unit) =>
    fetches(unit, async () => {
      const down = () => Math.max(...(unit.sample()?.links ?? []).map(({ downKbps }) => downKbps))
      await until('the rate of the picture at a link', () => down() > 3000)
      return `${down()} kbit/s come down a link`
    }),
  'wanted extenders': (unit) =>
    transmitting(unit, async () => {
      await unit.want({ extenders: ['X-1'] })
      const port = () => unit.actual().links?.find(({ id }) => id === 'Extender X-1')?.port
      await until('the extender to carry', () => sentKbps(unit, [port() ?? -1]) > 20)
      if (!unit.actual().extenders?.[0]?.connected) throw new Error('it is not reported')
      await unit.want({ extenders: [] })
      return 'its modem carries a part of the picture'
    }),
  'wanted databridge': without(
    'databridge',
    { databridge: { ...session, gatewayId: 'gateway-1', ports: [{ protocol: 'tcp', port: 8080 }] } },
    { databridge: null },
    'nothing is behind its ports',
  ),
  'wanted ipPipe': without(
    'ipPipe',
    { ipPipe: { ...session, serverId: 'server-1', channel: 'one' } },
    { ipPipe: null },
    'its crew has no network',
  ),
  'wanted intercoms': (unit) =>
    talks(unit, async (room) => {
      await until('the tone of the crew', () => room.loudness(crewHertz) > audible)
      return 'the tone of the crew comes over the line'
    }),
  'wanted ifb': without(
    'ifb',
    { ifb: { ...session, serverId: 'server-1', channelId: 'one', delayMs: 300 } },
    { ifb: null },
    'its crew has no speaker',
  ),
}

const orderCases: Cases<Unit> = {
  async 'order virtual_channels_updated'(unit) {
    await confirmed(unit, 'virtual_channels_updated')
    return 'the wanted state is followed again'
  },
  'order send_logs': sendsLog((text) => text.includes('facts')),
  'order stop_logs': stopsLog(),
  async 'order list_folder'(unit) {
    const { path } = await record(unit)
    const names = (await listed(unit, dirname(path))).map(({ name }) => name)
    if (!names.some((name) => path.endsWith(`/${name}`))) throw new Error(`the folder holds ${names.join()}`)
    return `${names.length} names of files`
  },
  async 'order upload_file'(unit) {
    const { path, sizeBytes } = await smallestFile(unit)
    const sent = await uploaded(unit, path)
    // A simulated file is made of the places of its bytes.
    const isWhole = sent.length === sizeBytes && sent.every((byte, at) => byte === at % 251)
    if (!isWhole) throw new Error(`${sent.length} bytes arrived, not the ${sizeBytes} of the file`)
    return `${sent.length} bytes arrived as they are in the file`
  },
  async 'order delete_files'(unit) {
    const { path } = await smallestFile(unit)
    await confirmed(unit, 'delete_files', { paths: [path] })
    const left = await listed(unit, dirname(path))
    if (left.some(({ name }) => path.endsWith(`/${name}`))) throw new Error('the file is still there')
    return 'the file is gone'
  },
  'order shutdown': {
    reason: 'no owner has allowed it',
    async check(unit) {
      const { state, cause } = await unit.core.order('shutdown')
      if (cause?.code !== 'unit.noShutdown') throw new Error(`it was ${state}`)
      return 'refused'
    },
  },
  'order delete_certificate': joinsAgain,
  'order reboot': restartsBy('reboot'),
  async 'order upgrade'(unit) {
    const version = '8.0.99'
    unit.core.upgrade(version, Buffer.alloc(0))
    await until('the version of the package', () => unit.swVersion() === version)
    return 'it runs as the version'
  },
  ...simulatedNetworkCases,
  ...simulatedLinkCases,
  ...ordersForServers,
}

/** In this order: what restarts the unit comes late, and its messages are counted at the end. */
export const simulatedUnitCases: Cases<Unit> = {
  ...wantedCases,
  ...simulatedSettingCases,
  ...orderCases,
  ...messages(...unitMessages),
}
