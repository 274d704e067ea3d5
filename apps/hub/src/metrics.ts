// Metrics of a hub for Prometheus: the state of each of its channels.
import { OutputState } from '@backhaul/contract/nouns/output-states'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Hub } from './hub.ts'

type Channel = ReturnType<Hub['channels']>[number]

const prefix = 'backhaul_hub_'
const perKilobit = 1000
const ofChannel = ['slot', 'channel'] as const
const ofOutput = [...ofChannel, 'state'] as const

/** Figures are read from the hub at each scrape. */
export function hubMetrics(hub: Pick<Hub, 'channels'>): Registry {
  const metrics = new Registry()
  const registers = [metrics]
  const labelsOf = ({ counts: { slot, name } }: Channel) => ({ slot, channel: name })

  function gauge(name: string, help: string, of: (channel: Channel) => number): void {
    new Gauge({
      name: `${prefix}channel_${name}`,
      help,
      labelNames: ofChannel,
      registers,
      collect() {
        this.reset()
        for (const channel of hub.channels()) this.set(labelsOf(channel), of(channel))
      },
    })
  }
  function counter(name: string, help: string, of: (channel: Channel) => number): void {
    new Counter({
      name: `${prefix}channel_${name}`,
      help,
      labelNames: ofChannel,
      registers,
      collect() {
        this.reset()
        for (const channel of hub.channels()) this.inc(labelsOf(channel), of(channel))
      },
    })
  }

  gauge('collecting', '1 while the channel receives', ({ figures }) =>
    Number(figures.status === 'collecting'),
  )
  gauge('received_bits_per_second', 'What the channel receives', ({ figures }) => figures.kbps * perKilobit)
  gauge(
    'packets_recovered',
    'Packets repaired since the present transmission began',
    ({ figures }) => figures.recovered,
  )
  gauge(
    'packets_lost',
    'Packets lost after repair since the present transmission began',
    ({ figures }) => figures.uncorrected,
  )
  gauge(
    'continuity_errors',
    'Gaps in the stream since the present transmission began',
    ({ figures }) => figures.continuityErrors,
  )
  gauge('recording', '1 while the channel is recorded', ({ figures }) => Number(figures.recording))
  gauge('viewers', 'Moving pictures that are watched', ({ counts }) => counts.viewers)
  counter(
    'dropped_total',
    'Pieces of the stream that a program did not accept in time',
    ({ counts }) => counts.dropped,
  )
  counter(
    'program_restarts_total',
    'Programs that ended by themselves and were started again',
    ({ counts }) => counts.restarts,
  )
  new Gauge({
    name: `${prefix}channel_outputs`,
    help: 'Destinations of the channel by state',
    labelNames: ofOutput,
    registers,
    collect() {
      this.reset()
      for (const channel of hub.channels())
        for (const state of OutputState.options)
          this.set(
            { ...labelsOf(channel), state },
            channel.figures.outputs.filter((output) => output.state === state).length,
          )
    },
  })
  collectDefaultMetrics({ register: metrics, prefix })
  // Gauges that are named totals; their parts hold the same figures.
  for (const what of ['handles', 'requests', 'resources'])
    metrics.removeSingleMetric(`${prefix}nodejs_active_${what}_total`)
  return metrics
}
