// Watches running transmissions: failed starts, lost units, first pictures, servers with a new address.
import { wordingOf, wordingOfFields } from '@backhaul/contract/define/refusals'
import type { WantedTransmission } from '@backhaul/contract/gateway/units'
import type { Command } from '@backhaul/contract/nouns/commands'
import { unitEvent } from '@backhaul/contract/nouns/unit-events'
import { withoutRefused } from '@backhaul/contract/nouns/unit-settings'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { Devices } from '../../fleet/devices/devices.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Events } from '../../world/events.ts'
import type { ActiveTransmissions } from './active-transmissions.ts'
import type { CommandArgs } from './command-state.ts'
import { abandonment } from './lost-transmissions.ts'
import { channelsOf, type OpenTransmission, saveLive } from './transmission-table.ts'

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

export function watchTransmissions(needs: Needs, active: ActiveTransmissions) {
  const { db, clock, log, events, devices, channels, units } = needs
  const { running, withdraw } = active
  let lostTimer: Timer | undefined

  /** A start that the unit shows nevertheless continues; any other must not begin later without the operator's notice. */
  function onStartFailed(command: Command): void {
    const { uid, name, args } = command
    if (name !== 'start_streaming' && name !== 'speed_test') return
    const transmission = running.get(uid)
    const { transmissionId } = args as CommandArgs
    if (!transmission || transmission.id !== transmissionId) return
    const isShown = units.memory(uid)?.actual.transmissionId === transmissionId
    const unit = units.values(uid)
    if (isShown && unit && !unit.offline) return
    withdraw(transmission, wordingOfFields(command, 'command.timedOut')).catch((error) =>
      log.error({ err: error, unitId: uid }, 'withdrawal of the failed start not stored'),
    )
  }

  /** A move that failed leaves the unit on its old channel, unless the new one has the picture nevertheless. */
  function onMoveFailed(command: Command): void {
    const { uid, name, args } = command
    if (name !== 'set_virtual_channel') return
    const transmission = running.get(uid)
    const { transmissionId } = args as CommandArgs
    if (!transmission || transmission.id !== transmissionId || !active.leaving.has(uid)) return
    const arrived = channelsOf(transmission).some((id) => isCollected(transmission, id))
    const why = wordingOfFields(command, 'command.timedOut')
    const done = arrived ? active.finishMove(uid) : active.undoMove(transmission, why)
    done.catch((error) =>
      log.error({ err: error, unitId: uid }, 'end of the move to another channel not stored'),
    )
  }

  /** All of the changes or, when one is refused, none: the unit would refuse them again with every later change. */
  function onConfigurationRefused({ uid, name, state, args }: Command): void {
    const { settings: refused = {} } = args as CommandArgs
    if (name !== 'set_configuration' || state !== 'refused') return
    const actual = units.memory(uid)?.actual.settings
    const withdrawn = active.commit(uid, async (transaction) => ({
      channelChanges: [],
      unitChange: await active.change(transaction, uid, (wanted) => ({
        ...wanted,
        settings: withoutRefused(wanted.settings ?? {}, refused, actual),
      })),
      command: undefined,
    }))
    withdrawn.catch((error) =>
      log.error({ err: error, unitId: uid }, 'withdrawal of the refused settings not stored'),
    )
  }

  function onUnitChanged(unitId: string): void {
    if (!active.leaving.has(unitId)) return
    if (units.memory(unitId)?.actual.transmissionId !== running.get(unitId)?.id) return
    active
      .finishMove(unitId)
      .catch((error) => log.error({ err: error, unitId }, 'channel of the moved transmission not freed'))
  }

  function isCollected({ id }: OpenTransmission, channelId: string): boolean {
    const received = channels.telemetry(channelId)
    return received?.status === 'collecting' && received.transmissionId === id
  }

  function checkLost(): void {
    for (const transmission of [...running.values()]) {
      const { unitId } = transmission
      const carriers = {
        unitIsThere: devices.get(unitId)?.presence !== 'offline',
        serverCollects: channelsOf(transmission).some((id) => isCollected(transmission, id)),
      }
      const { sinceMs, isLost } = abandonment(carriers, transmission.abandonedSinceMs, clock.monotonicMs())
      transmission.abandonedSinceMs = sinceMs
      if (!isLost) continue
      transmission.abandonedSinceMs = clock.monotonicMs()
      withdraw(transmission, wordingOf('unit.lost')).catch((error) =>
        log.error({ err: error, unitId }, 'end of the lost transmission not stored'),
      )
    }
  }

  /** The first picture of each transmission. */
  function noteLive(serverId: string): void {
    for (const transmission of running.values()) {
      if (transmission.liveMs !== null) continue
      const isLive = (id: string) => channels.serverOf(id) === serverId && isCollected(transmission, id)
      if (!channelsOf(transmission).some(isLive)) continue
      transmission.liveMs = clock.nowMs()
      units.addEvent(transmission.unitId, 'status', unitEvent('transmission.live', {}))
      saveLive(db, transmission.id, transmission.liveMs).catch((error) =>
        log.error({ err: error }, 'time of the first picture not stored'),
      )
    }
  }

  /** The transmission with the present addresses of its servers. */
  function redirected(wanted: WantedTransmission): WantedTransmission {
    const there = <F extends Pick<WantedTransmission, 'channelId' | 'targets'>>(flow: F): F => {
      const targets = channels.targets(flow.channelId)
      return targets.length > 0 ? { ...flow, targets } : flow
    }
    return { ...there(wanted), ...(wanted.feeds && { feeds: wanted.feeds.map(there) }) }
  }

  /** A server that restarted may listen elsewhere: its units are sent the new address. */
  async function followServer(serverId: string): Promise<void> {
    for (const transmission of [...running.values()]) {
      const { unitId, id } = transmission
      if (!channelsOf(transmission).some((channelId) => channels.serverOf(channelId) === serverId)) continue
      const wanted = active.wantedOf(unitId).transmission
      if (wanted?.id !== id || JSON.stringify(redirected(wanted)) === JSON.stringify(wanted)) continue
      await active.commit(unitId, async (transaction) => ({
        channelChanges: [],
        unitChange: await active.change(transaction, unitId, (now) =>
          now.transmission?.id === id ? { ...now, transmission: redirected(now.transmission) } : now,
        ),
        command: undefined,
      }))
    }
  }

  events.on('device:serverTelemetry', ({ deviceId }) => noteLive(deviceId))
  events.on('device:serverReport', ({ deviceId, message }) => {
    if (!(message.actual.ports || message.actual.addresses)) return
    followServer(deviceId).catch((error) =>
      log.error({ err: error, deviceId }, 'new address of the server not sent to its units'),
    )
  })

  events.on('commandFailed', ({ command }) => {
    onStartFailed(command)
    onMoveFailed(command)
    onConfigurationRefused(command)
  })
  events.on('unitChanged', ({ unitId }) => onUnitChanged(unitId))

  return {
    start() {
      lostTimer = clock.setInterval(checkLost, lostCheckPeriodMs)
    },
    stop: () => clock.clearInterval(lostTimer),
  }
}
