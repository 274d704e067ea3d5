// What happens to running transmissions by itself: failed starts, lost units, first pictures, servers that moved.
import type { Command } from '@backhaul/contract/nouns/commands'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import type { Events } from '../../events.ts'
import type { Channels } from '../channels/channels.ts'
import type { Devices } from '../devices/devices.ts'
import type { Units } from '../units/units.ts'
import type { CommandArgs } from './command-truth.ts'
import { abandonment } from './lost-transmissions.ts'
import type { TransmissionBook } from './transmission-book.ts'
import { saveLive } from './transmission-table.ts'

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  devices: Devices
  channels: Channels
  units: Units
}

const lostCheckPeriodMs = 5000

export function watchTransmissions(needs: Needs, book: TransmissionBook) {
  const { db, clock, log, events, devices, channels, units } = needs
  const { running, withdraw } = book
  let lostTimer: Timer | undefined

  /** A start that the unit shows nevertheless goes on; any other must not begin behind the operator's back later. */
  function onStartFailed({ uid, name, args, reason }: Command): void {
    if (name !== 'start_streaming' && name !== 'speed_test') return
    const transmission = running.get(uid)
    const { transmissionId } = args as CommandArgs
    if (!transmission || transmission.id !== transmissionId) return
    const isShown = units.memory(uid)?.actual.transmissionId === transmissionId
    const unit = units.values(uid)
    if (isShown && unit && !unit.offline) return
    withdraw(transmission, reason ?? 'not confirmed').catch((error) =>
      log.error({ err: error, unitId: uid }, 'a failed start was not withdrawn'),
    )
  }

  function checkLost(): void {
    for (const transmission of [...running.values()]) {
      const { unitId, channelId, id } = transmission
      const received = channels.telemetry(channelId)
      const carriers = {
        unitIsThere: devices.get(unitId)?.presence !== 'offline',
        serverCollects: received?.status === 'collecting' && received.transmissionId === id,
      }
      const { sinceMs, isLost } = abandonment(carriers, transmission.abandonedSinceMs, clock.nowMs())
      transmission.abandonedSinceMs = sinceMs
      if (!isLost) continue
      transmission.abandonedSinceMs = clock.nowMs()
      withdraw(transmission, 'the unit was lost').catch((error) =>
        log.error({ err: error, unitId }, 'a lost transmission was not ended'),
      )
    }
  }

  /** The first picture of each transmission. */
  function noteLive(serverId: string): void {
    for (const transmission of running.values()) {
      if (transmission.liveMs !== null || channels.serverOf(transmission.channelId) !== serverId) continue
      const received = channels.telemetry(transmission.channelId)
      if (received?.status !== 'collecting' || received.transmissionId !== transmission.id) continue
      transmission.liveMs = clock.nowMs()
      units.addEvent(transmission.unitId, 'status', 'live')
      saveLive(db, transmission.id, transmission.liveMs).catch((error) =>
        log.error({ err: error }, 'the first picture was not written'),
      )
    }
  }

  /** A server that restarted may listen elsewhere: its units are told. */
  async function followServer(serverId: string): Promise<void> {
    for (const { unitId, channelId, id } of [...running.values()]) {
      if (channels.serverOf(channelId) !== serverId) continue
      const targets = channels.targets(channelId)
      const wanted = book.wantedOf(unitId)
      const isMoved = JSON.stringify(wanted.transmission?.targets) !== JSON.stringify(targets)
      if (wanted.transmission?.id !== id || targets.length === 0 || !isMoved) continue
      await book.commit(unitId, async (transaction) => ({
        channelChanges: [],
        unitChange: await book.change(transaction, unitId, (now) =>
          now.transmission?.id === id ? { ...now, transmission: { ...now.transmission, targets } } : now,
        ),
        command: undefined,
      }))
    }
  }

  events.on('deviceSaid', ({ deviceId, message }) => {
    if (message.type === 'serverTelemetry') noteLive(deviceId)
    if (message.type !== 'serverReport' || !(message.actual.ports || message.actual.addresses)) return
    followServer(deviceId).catch((error) => log.error({ err: error, deviceId }, 'units were not redirected'))
  })

  events.on('commandFailed', ({ command }) => onStartFailed(command))

  return {
    start() {
      lostTimer = clock.setInterval(checkLost, lostCheckPeriodMs)
    },
    stop: () => clock.clearInterval(lostTimer),
  }
}
