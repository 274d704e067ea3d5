// Finds the ports of the channels once, at the start, so that they stay the same while the server runs.
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import type { HubSlot } from './messages.ts'

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
  if (intake === 'srt') return await isUdpFree('0.0.0.0', port)
  return (await isUdpFree(unitHost, port)) && (await isUdpFree(unitHost, port + 1))
}

/** Somewhere in the range that systems leave to programs. */
const anyEvenPort = () => 2 * (10_000 + Math.floor(Math.random() * 10_000))

export interface PortsWanted {
  /** The first of the even ports; 0 takes any free ones. */
  readonly base: number
  /** Where units are received. */
  readonly unitHost: string
  readonly bonded: number
  readonly inputs: readonly ('srt' | 'rtmp')[]
}

/** One slot for each channel; where a port is taken by another program, some free one stands in. */
export async function chooseSlots({ base, unitHost, bonded, inputs }: PortsWanted): Promise<HubSlot[]> {
  const taken = new Set<number>()

  async function choose(first: number, intake: HubSlot['intake']): Promise<number> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const port = attempt === 0 && base !== 0 ? first : anyEvenPort()
      if (taken.has(port) || !(await isFree(port, intake, unitHost))) continue
      taken.add(port)
      return port
    }
    throw new Error(`BACKHAUL_HUB_MEDIA_PORT: no free port near ${first}`)
  }

  const slots: HubSlot[] = []
  for (let index = 0; index < bonded; index++) {
    const name = `Channel-${index + 1}`
    slots.push({
      slot: `bonded-${index + 1}`,
      name,
      intake: 'bonded',
      port: await choose(base + index * 2, 'bonded'),
    })
  }
  for (const [index, intake] of inputs.entries()) {
    const number = inputs.slice(0, index).filter((one) => one === intake).length + 1
    const name = `${intake.toUpperCase()}-Input-${number}`
    const port = await choose(base + INPUTS_FROM + index * 2, intake)
    slots.push({ slot: `${intake}-${number}`, name, intake, port })
  }
  return slots
}
