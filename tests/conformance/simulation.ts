/** The simulator, whose time runs faster, with a scripted core for one of its units and for both kinds of its servers. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServerWanted, WantedChannel } from '@backhaul/contract/gateway/servers'
import type { WantedTransmission } from '@backhaul/contract/gateway/units'
import type { UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import { superviseChild } from '@backhaul/runtime/child-process'
import { repository } from '../../scripts/places.ts'
import { until } from '../stage/until.ts'
import { startScriptedCores } from './scripted-core.ts'
import { followServer, type ServerAtCore } from './server-at-core.ts'
import { intakeOf } from './server-reception.ts'
import { wantedChannel } from './server-under-test.ts'
import { followUnit, type UnitAtCore } from './unit-at-core.ts'

interface Devices {
  readonly unit: UnitAtCore
  readonly server: ServerAtCore
  readonly returnServer: ServerAtCore
}

/** One of the devices, as the one that is judged, with the others. */
export type Simulated<Device> = Device & Devices

export interface Simulation {
  readonly unit: Simulated<UnitAtCore>
  readonly server: Simulated<ServerAtCore>
  stop(): Promise<void>
}

const timesFaster = 20
/** One of the first five units has all functions, and with this seed a fixed line where it is, and a current server. */
const fleet = ['--units', '5', '--servers', '1', '--no-switching', '--seed', '43']
const products = { unit: 'LU-800', server: 'MMH Server', returnServer: 'Video Return Server' }
const dayMs = 86_400_000

export async function startSimulation(): Promise<Simulation> {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-conformance-'))
  const cores = await startScriptedCores(products, { orderWithinMs: dayMs })
  const devices: Devices = {
    unit: followUnit(cores.unit),
    server: followServer(cores.server),
    returnServer: followServer(cores.returnServer),
  }
  const lines: string[] = []
  const simulator = superviseChild({
    command: process.execPath,
    args: [
      '--disable-warning=ExperimentalWarning',
      join(repository, 'apps', 'simulator', 'src', 'testing', 'fast-program.ts'),
      String(timesFaster),
      ...fleet,
    ],
    env: {
      ...process.env,
      BACKHAUL_SUPERVISED: '1',
      BACKHAUL_LOG: 'json',
      BACKHAUL_CORE_URL: `${cores.unit.url.replace('http', 'ws')}/gateway`,
      BACKHAUL_DATA: folder,
      BACKHAUL_LOCAL_KEY: 'key-of-the-conformance-run',
    },
    onStderrLine: (line) => lines.push(line),
  })
  async function stop(): Promise<void> {
    await simulator.stop()
    await cores.unit.close()
    rmSync(folder, { recursive: true, force: true })
  }

  const { unit, server, returnServer } = devices
  const areThere = () => unit.sample() && server.actual().ports && returnServer.actual().ports
  await until('the devices to report', areThere).catch(async (error: Error) => {
    await stop()
    throw new Error(`${error.message}\n${lines.slice(-20).join('\n')}`)
  })
  return {
    unit: { ...devices, ...unit },
    server: { ...devices, ...server },
    stop,
  }
}

export const first = 'channel-of-1'
export const second = 'channel-of-2'

/** Where the unit sends to a channel, or fetches from it. */
export function targetsOf(server: ServerAtCore, slot: string): WantedTransmission['targets'] {
  const { ristPort, returnPort } = server.ports(slot) ?? {}
  const port = ristPort ?? returnPort ?? 0
  return (server.actual().addresses ?? []).map((host) => ({ host, port }))
}

interface Terms {
  /** The settings of the unit. */
  settings?: UnitSettings
  activity?: NonNullable<WantedTransmission['activity']>
  /** Sends its second camera to the second channel. */
  isOfTwo?: boolean
  /** The wanted state of the channel that the unit sends to, by default the first. */
  channel?: Partial<WantedChannel>
  slot?: string
  others?: readonly WantedChannel[]
  /** The other wanted state of the server. */
  rest?: Omit<ServerWanted, 'channels'>
}

/** Resolves with what is seen while the unit sends, and the channel receives something. */
export async function transmitting<T>(
  { unit, server }: Devices,
  look: (transmissionId: string) => Promise<T>,
  { settings = {}, activity, isOfTwo = false, channel = {}, slot = '1', others = [], rest }: Terms = {},
): Promise<T> {
  const id = `transmission-${performance.now()}`
  const intake = intakeOf(id)
  const { key } = intake
  const channels = [wantedChannel(slot, { intake, ...channel }), ...others]
  if (isOfTwo) channels.push(wantedChannel('2', { intake }))
  return await unit.withSettings(settings, async () => {
    await server.want(channels, rest)
    const [one, two] = [slot, '2'].map((to) => ({
      channelId: `channel-of-${to}`,
      key,
      targets: targetsOf(server, to),
    }))
    if (!one || !two) throw new Error('there are two')
    await unit.want({
      channelId: one.channelId,
      transmission: {
        id,
        ...one,
        ...(activity && { activity }),
        ...(isOfTwo && { feeds: [{ camera: 2, ...two }] }),
      },
    })
    try {
      await until('the channel to receive', () => receives(server, slot, id))
      return await look(id)
    } finally {
      await unit.want({ transmission: null, channelId: null })
      await server.want([])
    }
  })
}

function receives(server: ServerAtCore, slot: string, id: string): boolean {
  const { status, transmissionId, kbps = 0 } = server.channel(`channel-of-${slot}`) ?? {}
  return status === 'collecting' && transmissionId === id && kbps > 0
}
