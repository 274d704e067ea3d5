// The metrics of core for Prometheus.
import { isActiveForAlerts } from '@backhaul/contract/nouns/unit-status'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import { everything } from '../database/scope.ts'
import type { LoopDelay } from '../doors/loop-delay.ts'
import type { WithFleet } from '../fleet/fleet.ts'

const perKilobit = 1000

type Traded = Pick<WithFleet, 'units' | 'channels' | 'servers' | 'alerts'>

/** Gauges that are read from the live state on each request. */
export function countTrade(metrics: Registry, { units, channels, servers, alerts }: Traded): void {
  const registers = [metrics]
  function gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    collect: (set: (labels: Record<Label, string>, value: number) => void) => void,
  ): void {
    new Gauge<Label>({
      name: `backhaul_core_${name}`,
      help,
      labelNames,
      registers,
      collect() {
        this.reset()
        collect((labels, value) => this.set(labels, value))
      },
    })
  }
  /** One series for each value that occurs. */
  function counted(name: string, help: string, label: string, values: () => Iterable<string>): void {
    gauge(name, help, [label], (set) => {
      const counts = new Map<string, number>()
      for (const value of values()) counts.set(value, (counts.get(value) ?? 0) + 1)
      for (const [value, count] of counts) set({ [label]: value }, count)
    })
  }
  function sum(name: string, help: string, of: () => number): void {
    gauge(name, help, [], (set) => set({}, of()))
  }
  const all = () => [...units.all()]
  function traffic(): { sentKbps: number; lostKbps: number } {
    let sentKbps = 0
    let lostKbps = 0
    for (const { kbps, lossPercent } of units.uplinks()) {
      sentKbps += kbps
      lostKbps += (kbps * lossPercent) / 100
    }
    return { sentKbps, lostKbps }
  }

  counted('units', 'Units by status, as shown to users', 'status', () => all().map(({ status }) => status))
  sum('units_known', 'Units of all customers', () => all().length)
  sum('units_live', 'Units that transmit', () => all().filter(isActiveForAlerts).length)
  sum(
    'units_sent_bits_per_second',
    'Bit rate that all units send over all links, retransmissions included',
    () => traffic().sentKbps * perKilobit,
  )
  sum('units_loss_ratio', 'Packets that units lose before repair, weighted by what each sends', () => {
    const { sentKbps, lostKbps } = traffic()
    return sentKbps === 0 ? 0 : lostKbps / sentKbps
  })
  counted('channels', 'Channels by status', 'status', () =>
    channels.readable(everything).map(({ status }) => status),
  )
  counted('alerts', 'Active alerts, by severity', 'severity', () => alerts.severities())

  const server = ['server'] as const
  const eachServer = () =>
    servers.online().map(({ id, name }) => ({ name, channels: servers.memory(id)?.channels ?? [] }))
  gauge('server_channels_collecting', 'Channels of a connected server that receive', server, (set) => {
    for (const one of eachServer())
      set({ server: one.name }, one.channels.filter(({ status }) => status === 'collecting').length)
  })
  gauge('server_received_bits_per_second', 'What a server receives on its channels', server, (set) => {
    for (const one of eachServer())
      set(
        { server: one.name },
        one.channels.reduce((total, { kbps }) => total + kbps * perKilobit, 0),
      )
  })
  gauge(
    'server_packets_recovered',
    'Packets repaired since each present transmission began',
    server,
    (set) => {
      for (const one of eachServer())
        set(
          { server: one.name },
          one.channels.reduce((total, { recovered }) => total + recovered, 0),
        )
    },
  )
  gauge(
    'server_packets_lost',
    'Packets lost after repair since each present transmission began',
    server,
    (set) => {
      for (const one of eachServer())
        set(
          { server: one.name },
          one.channels.reduce((total, { uncorrected }) => total + uncorrected, 0),
        )
    },
  )
}

/** The resources of the process, and the delay of its event loop. */
export function countProcess(metrics: Registry, loopDelay: LoopDelay): void {
  collectDefaultMetrics({ register: metrics, prefix: 'backhaul_core_' })
  // They list every socket, whose numbers are in other metrics: 20 ms of the event loop with 15,000 devices.
  for (const one of ['handles', 'requests', 'resources'])
    for (const end of ['', '_total']) metrics.removeSingleMetric(`backhaul_core_nodejs_active_${one}${end}`)
  new Gauge({
    name: 'backhaul_core_event_loop_delay_seconds',
    help: 'The longest delay of the event loop in the last second',
    registers: [metrics],
    collect() {
      this.set(loopDelay.ms / 1000)
    },
  })
}
