// Finds the ports of the channels: each once, so that it is the same while the server runs.
import { createSocket } from 'node:dgram'
import { createServer, type Server } from 'node:net'
import { because } from '@backhaul/contract/define/refusals'
import type { ServerWanted } from '@backhaul/contract/gateway/servers'
import { Refused } from '@backhaul/device/refused'
import type { Log } from '@backhaul/runtime/log'
import type { HubSlot, InputProtocol } from './messages.ts'

/** Input channels are found at a round distance from the bonded ones. */
const INPUTS_FROM = 1000
const ATTEMPTS = 200

function isUdpFree(address: string, port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = createSocket('udp4')
  socket.once('error', () => resolve(false))
  socket.bind({ port, address, exclusive: true }, () => socket.close(() => resolve(true)))
  return promise
}

function isTcpFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const server = createServer()
  server.once('error', () => resolve(false))
  server.listen(port, '0.0.0.0', () => server.close(() => resolve(true)))
  return promise
}

async function isFree(port: number, intake: HubSlot['intake'], unitHost: string): Promise<boolean> {
  if (intake === 'rtmp') return await isTcpFree(port)
  if (intake === 'srt' || intake === 'rist') return await isUdpFree('0.0.0.0', port)
  return (await isUdpFree(unitHost, port)) && (await isUdpFree(unitHost, port + 1))
}

/** In the names of the channels. */
const inputWords: Readonly<Record<InputProtocol, string>> = {
  srt: 'SRT',
  rist: 'RIST',
  rtmp: 'RTMP',
  webrtc: 'WebRTC',
}

/** In the dynamic port range. */
const anyEvenPort = () => 2 * (10_000 + Math.floor(Math.random() * 10_000))

export interface PortsWanted {
  /** The first of the even ports; 0 takes any free ones. */
  readonly base: number
  /** The ports that receive units. */
  readonly unitHost: string
  readonly bonded: number
  /** The name of a channel that receives bonded units, before its number. */
  readonly bondedWord?: string
  readonly inputs: readonly InputProtocol[]
}

/** `first` if it is free, else any even port that is. */
async function choosePort(
  first: number,
  intake: HubSlot['intake'],
  unitHost: string,
  taken: ReadonlySet<number>,
): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = attempt === 0 && first !== 0 ? first : anyEvenPort()
    if (!taken.has(port) && (await isFree(port, intake, unitHost))) return port
  }
  throw new Error(`BACKHAUL_HUB_MEDIA_PORT: no free port near ${first}`)
}

/** A port that is free now, to replace one in use. */
export const freePort = (intake: 'srt' | 'rist' | 'rtmp'): Promise<number> =>
  choosePort(0, intake, '0.0.0.0', new Set())

/** An even port and the next one, on which a program of this machine may receive from another. */
export const freePair = (): Promise<number> => choosePort(0, 'bonded', '0.0.0.0', new Set())

/** Listens on the port, or on another where it is taken. Undefined when none is available. */
export async function holdTcpPort(server: Server, port: number, log: Log): Promise<number | undefined> {
  const listen = (at: number) =>
    new Promise<number>((resolve, reject) => {
      server.once('error', reject)
      server.listen(at, '0.0.0.0', () => {
        server.off('error', reject)
        resolve(at)
      })
    })
  try {
    return await listen(port).catch(async () => await listen(await freePort('rtmp')))
  } catch (error) {
    log.error(error, `cannot listen on TCP ${port} or any other`)
    return undefined
  }
}

/** Slots for the channels that users added, in addition to the hub's own; existing slots keep their port. */
export async function makeRoom(
  slots: readonly HubSlot[],
  wanted: ServerWanted,
  { unitHost, hasWebDoor }: { readonly unitHost: string; readonly hasWebDoor: boolean },
): Promise<HubSlot[]> {
  const made = wanted.channels.filter((channel) => channel.made !== undefined)
  const room = slots.filter((one) => !one.isMade || made.some(({ slot }) => slot === one.slot))
  for (const { slot, name, made: how } of made) {
    if (room.some((one) => one.slot === slot)) continue
    const inputType = how?.inputType ?? null
    if (inputType === 'sdi' || (inputType === 'webrtc' && !hasWebDoor))
      throw new Refused(because('hub.cannotReceive', { input: inputType }))
    const intake = inputType ?? 'bonded'
    if (intake === 'webrtc') {
      room.push({ slot, name, intake, port: 0, isMade: true })
      continue
    }
    const alike = room.filter((one) => one.intake === intake).map(({ port }) => port)
    const first = alike.length > 0 ? Math.max(...alike) + 2 : 0
    const port = await choosePort(first, intake, unitHost, new Set(room.map((one) => one.port)))
    room.push({ slot, name, intake, port, isMade: true })
  }
  return room
}

/** One slot for each channel; where a port is taken by another program, a free one replaces it. */
export async function chooseSlots(options: PortsWanted): Promise<HubSlot[]> {
  const { base, unitHost, bonded, bondedWord = 'Channel', inputs } = options
  const taken = new Set<number>()

  async function choose(offset: number, intake: HubSlot['intake']): Promise<number> {
    const port = await choosePort(base === 0 ? 0 : base + offset, intake, unitHost, taken)
    taken.add(port)
    return port
  }

  const slots: HubSlot[] = []
  for (let index = 0; index < bonded; index++) {
    const name = `${bondedWord}-${index + 1}`
    slots.push({
      slot: `bonded-${index + 1}`,
      name,
      intake: 'bonded',
      port: await choose(index * 2, 'bonded'),
    })
  }
  for (const [index, intake] of inputs.entries()) {
    const number = inputs.slice(0, index).filter((one) => one === intake).length + 1
    const name = `${inputWords[intake]}-Input-${number}`
    const port = intake === 'webrtc' ? 0 : await choose(INPUTS_FROM + index * 2, intake)
    slots.push({ slot: `${intake}-${number}`, name, intake, port })
  }
  return slots
}
