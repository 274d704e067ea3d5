// The tallies of a hub: display addresses of a vision mixer or tally system that sends TSL UMD by UDP.
import { createSocket, type Socket } from 'node:dgram'
import type { ServerFailure } from '@backhaul/contract/gateway/servers'
import type { ServerInterface } from '@backhaul/contract/nouns/interfaces'
import type { ServerTallies } from '@backhaul/device/server-hardware'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { failureOf, openingFault } from '../failures.ts'
import { readTslUmd, type TallyLamp } from './tsl-umd.ts'

const reopenAfterMs = 5000

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
  let socket: Socket | undefined
  let timer: Timer | undefined
  let ignored = 0
  let failure: ServerFailure | undefined

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

  function open(): void {
    const opened = createSocket('udp4')
    socket = opened
    opened.on('message', (datagram, { address }) => receive(datagram, address))
    opened.on('error', (error) => {
      log.error(error, `tally: port ${port} of ${host} failed, opening it again`)
      failure = failureOf('tallyFailed', openingFault(error, port))
      opened.close()
      socket = undefined
      timer = clock.setTimeout(open, reopenAfterMs)
    })
    opened.bind({ address: host, port, exclusive: true }, () => {
      failure = undefined
      log.info({ ...opened.address(), displays: addresses.length }, 'tally: receiving TSL UMD')
    })
  }

  open()
  return {
    interfaces: addresses.map((address) => ({ id: idOf(address), kind: 'tally', name: `Tally ${address}` })),
    failures: () => (failure ? [failure] : []),
    on: () => addresses.filter((address) => on.has(address)).map(idOf),
    onChange(listener) {
      onChange = listener
    },
    close() {
      clock.clearTimeout(timer)
      if (ignored > 0) log.info({ ignored }, 'tally: datagrams that were ignored')
      socket?.close()
      socket = undefined
    },
  }
}
