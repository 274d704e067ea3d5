// The tallies of a hub: display addresses of a vision mixer or tally system that sends TSL UMD by UDP.
import { createSocket, type Socket } from 'node:dgram'
import type { ServerFailure } from '@backhaul/contract/gateway/servers'
import type { ServerInterface } from '@backhaul/contract/nouns/interfaces'
import type { ServerTallies } from '@backhaul/device/server-hardware'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { failureOf } from '../failures.ts'
import { keepPort } from '../kept-port.ts'
import { readTslUmd, type TallyLamp } from './tsl-umd.ts'

export interface TallySettings {
  readonly host: string
  /** 0 takes any free one. */
  readonly port: number
  readonly addresses: readonly number[]
  readonly lamp: TallyLamp
}

export interface TallyReceiver extends ServerTallies {
  readonly interfaces: ServerInterface[]
  /** Why nothing can be received. */
  failures(): ServerFailure[]
  close(): void
}

export interface TallyReceiverOptions {
  settings: TallySettings
  clock: Clock
  log: Log
}

const idOf = (address: number) => `tally-${address}`

/**
 * A lamp keeps its state until the sender changes it, since many send changes alone. The port is opened again after 5 s
 * when it is in use or has failed; the lamps are kept meanwhile.
 */
export function openTallyReceiver({ settings, clock, log }: TallyReceiverOptions): TallyReceiver {
  const { host, port, addresses, lamp } = settings
  const known = new Set(addresses)
  const on = new Set<number>()
  let onChange = () => {}
  let ignored = 0

  function set(address: number, isOn: boolean): boolean {
    if (!known.has(address) || on.has(address) === isOn) return false
    if (isOn) on.add(address)
    else on.delete(address)
    return true
  }

  function receive(datagram: Uint8Array, from: string): void {
    const states = readTslUmd(datagram, lamp)
    if (!states) return void ignore(datagram, from)
    let isOther = false
    for (const { address, isOn } of states)
      for (const one of address === 'all' ? known : [address]) if (set(one, isOn)) isOther = true
    if (isOther) onChange()
  }

  /** Once in the log, so that a wrong sender does not fill it. */
  function ignore(datagram: Uint8Array, from: string): void {
    ignored++
    if (ignored === 1)
      log.warn({ from, bytes: datagram.length }, 'tally: ignored what is neither TSL UMD 3.1 nor 5.0')
  }

  function open(onLost: (error: Error) => void): Promise<Socket> {
    const { promise, resolve, reject } = Promise.withResolvers<Socket>()
    const socket = createSocket('udp4')
    socket.on('message', (datagram, { address }) => receive(datagram, address))
    socket.once('error', (error) => {
      socket.close()
      reject(error)
    })
    socket.bind({ address: host, port, exclusive: true }, () => {
      socket.removeAllListeners('error').on('error', onLost)
      log.info({ ...socket.address(), displays: addresses.length }, 'tally: receiving TSL UMD')
      resolve(socket)
    })
    return promise
  }

  const kept = keepPort<Socket>({ name: 'tallies', port: () => port, open, onChange() {}, clock, log })
  return {
    interfaces: addresses.map((address) => ({ id: idOf(address), kind: 'tally', name: `Tally ${address}` })),
    failures() {
      const failure = kept.failure()
      return failure ? [failureOf('tallyFailed', failure)] : []
    },
    on: () => addresses.filter((address) => on.has(address)).map(idOf),
    onChange(listener) {
      onChange = listener
    },
    close() {
      if (ignored > 0) log.info({ ignored }, 'tally: datagrams that were ignored')
      void kept.close()
    },
  }
}
