// The gateway in figures.
import type { FromDevice } from '@backhaul/contract/gateway/gateway'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { AdmissionLine } from './admission-line.ts'
import type { GatewaySession } from './gateway-session.ts'
import type { Intake } from './intake.ts'

interface Counted {
  sessions: ReadonlyMap<string, GatewaySession>
  sockets: ReadonlySet<GatewaySession>
  intake: Intake
  admission: AdmissionLine
}

export function countGateway(metrics: Registry, { sessions, sockets, intake, admission }: Counted) {
  const registers = [metrics]
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value())
      },
    })
  gauge('backhaul_core_gateway_sockets', 'Connections of devices, greeted or not', () => sockets.size)
  gauge(
    'backhaul_core_intake_waiting',
    'Messages of devices that are read and not yet taken',
    () => intake.size,
  )
  gauge(
    'backhaul_core_intake_age_seconds',
    'For how long the oldest message of a device has been waiting',
    () => intake.behindMs / 1000,
  )
  gauge(
    'backhaul_core_registrations_waiting',
    'Devices whose registration waits for its turn',
    () => admission.length,
  )
  new Gauge({
    name: 'backhaul_core_devices_online',
    help: 'Devices connected to the gateway and greeted',
    labelNames: ['kind'],
    registers,
    collect() {
      const online = { unit: 0, server: 0 }
      for (const { device } of sessions.values()) if (device) online[device.kind]++
      this.set({ kind: 'unit' }, online.unit)
      this.set({ kind: 'server' }, online.server)
    },
  })
  // Numbers: a counter with labels looks them up for each message.
  const messages: Partial<Record<FromDevice['type'], number>> = {}
  new Counter({
    name: 'backhaul_core_gateway_messages_total',
    help: 'Messages of devices that satisfy the contract and were taken',
    labelNames: ['type'],
    registers,
    collect() {
      this.reset()
      for (const [type, count] of Object.entries(messages)) this.inc({ type }, count)
    },
  })
  return {
    countMessage(type: FromDevice['type']) {
      messages[type] = (messages[type] ?? 0) + 1
    },
    rejected: new Counter({
      name: 'backhaul_core_gateway_rejected_total',
      help: 'Messages and sockets of devices that were refused, by reason',
      labelNames: ['reason'],
      registers,
    }),
    superseded: new Counter({
      name: 'backhaul_core_gateway_superseded_total',
      help: 'Figures of devices that gave way to newer ones because core was late, by type of message',
      labelNames: ['type'],
      registers,
    }),
    lostSamples: new Counter({
      name: 'backhaul_core_gateway_samples_dropped_total',
      help: 'Samples of units that are missing in the time series because core was late',
      registers,
    }),
  }
}
