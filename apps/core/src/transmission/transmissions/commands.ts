// Commands: what operators requested of units and with which result, in the database and on the unit's topic.

import { randomBytes } from 'node:crypto'
import { reasonFields, type Wording, wordingOf, wordingOfFields } from '@backhaul/contract/define/refusals'
import type { Order, Outcome } from '@backhaul/contract/gateway/gateway'
import {
  COMMAND_DEADLINE_MS,
  COMMAND_DONE_WITHIN_MS,
  type Command,
  type CommandName,
  isFinal,
} from '@backhaul/contract/nouns/commands'
import { unitEvent } from '@backhaul/contract/nouns/unit-events'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import { createWrites } from '../../database/writes.ts'
import type { Devices } from '../../fleet/devices/devices.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Events } from '../../world/events.ts'
import {
  type CommandArgs,
  type CommandEvent,
  commandAfter,
  failureIn,
  isAboutTheSame,
  isOrder,
  isRestart,
  isShownBy,
} from './command-state.ts'
import { insertCommand, openCommands, type StoredCommand, saveCommandState } from './command-table.ts'

/** The number of times that a command is sent, and the interval; by default once. */
export interface Retry {
  tries: number
  intervalMs: number
}

/** Secret data of an order in addition to its arguments: it is sent, and neither stored nor shown. */
export type Secret = Readonly<Record<string, unknown>>

export interface Commands {
  /** Stores a command inside the transaction that changes the state; `open` it after the commit. */
  write(
    transaction: DatabaseTransaction,
    command: { uid: string; name: CommandName; by: string; args: CommandArgs | Order['args']; retry?: Retry },
  ): Promise<StoredCommand>
  /** Sends the command to the device and follows it from here on; older ones about the same object are superseded. */
  open(command: StoredCommand, more?: { retry?: Retry | undefined; secret?: Secret | undefined }): void
  start(): Promise<void>
  stop(): Promise<void>
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  events: Events
  devices: Devices
  units: Units
}

interface Open {
  command: StoredCommand
  deadline: Timer | undefined
  retry: Timer | undefined
  /** The end of its time, by monotonic time. */
  untilMs: number
  secret: Secret | undefined
}

const once: Retry = { tries: 1, intervalMs: 0 }

export function createCommands({ db, clock, log, events, devices, units }: Needs): Commands {
  const openById = new Map<string, Open>()
  const openByUnit = new Map<string, Set<Open>>()
  const showCommand = units.provide('command')
  const writes = createWrites(log)

  const ofUnit = (unitId: string): Open[] => [...(openByUnit.get(unitId) ?? [])]

  function advance(open: Open, event: CommandEvent, why?: Wording): void {
    const { command } = open
    const state = commandAfter(command.state, event)
    if (state === undefined) return
    open.command = { ...command, state, ...reasonFields(why), updatedAt: clock.nowMs() }
    if (state === 'accepted') prolong(open)
    publish(open.command)
    // Writes follow each other, so that the row ends with the last state.
    const about = { command: command.id }
    void writes.add(() => saveCommandState(db, open.command), 'command state not stored', about)
    if (!isFinal(state)) return
    close(open)
    const severity = state === 'confirmed' || state === 'superseded' ? 'info' : 'warning'
    units.addEvent(
      command.uid,
      'command',
      unitEvent(`command.${state}`, { name: command.name }, why),
      severity,
    )
    if (state === 'refused' || state === 'timedOut') events.emit('commandFailed', { command: open.command })
  }

  /** The unit carries it out and may be disconnected meanwhile. */
  function prolong(open: Open): void {
    const withinMs = COMMAND_DONE_WITHIN_MS[open.command.name]
    if (withinMs === undefined) return
    open.command.deadlineMs = clock.nowMs() + withinMs
    clock.clearTimeout(open.deadline)
    expireIn(open, withinMs)
  }

  function expireIn(open: Open, leftMs: number): void {
    open.untilMs = clock.monotonicMs() + leftMs
    open.deadline = clock.setTimeout(
      () => advance(open, 'deadline', deadlineReason(open.command, failureOf(open.command))),
      leftMs,
    )
  }

  /** The newest command of a unit is the one that was opened last, regardless of the clock. */
  function show({ deadlineMs: _, ...command }: StoredCommand): void {
    showCommand(command.uid, { command })
  }

  function publish(command: StoredCommand): void {
    if (units.values(command.uid)?.command?.id === command.id) show(command)
  }

  function close(open: Open): void {
    clock.clearTimeout(open.deadline)
    clock.clearInterval(open.retry)
    openById.delete(open.command.id)
    openByUnit.get(open.command.uid)?.delete(open)
  }

  /** The wanted state is sent by the code that changes it; an order has to be sent here. */
  function send(open: Open): void {
    const { command } = open
    const isThere = devices.get(command.uid)?.presence === 'online'
    if (isOrder(command.name)) {
      if (command.state === 'accepted' && isRestart(command.name)) return
      const { id, name, args } = command
      // Its secret was lost with the process that had it.
      if (args.hasSecret === true && !open.secret) return
      const deadlineMs = clock.nowMs() + open.untilMs - clock.monotonicMs()
      const order = { id, name: name as Order['name'], args: { ...args, ...open.secret }, deadlineMs }
      if (devices.order(command.uid, order)) advance(open, 'sent')
    } else if (isThere) advance(open, 'sent')
  }

  function follow(command: StoredCommand, retry: Retry, secret?: Secret): Open {
    const { createdAt, deadlineMs } = command
    // A command stored before the clock was set back gets no more time than it had at first.
    const leftMs = Math.max(0, Math.min(deadlineMs - clock.nowMs(), deadlineMs - createdAt))
    const open: Open = { command, deadline: undefined, retry: undefined, untilMs: 0, secret }
    expireIn(open, leftMs)
    if (retry.tries > 1) {
      let tries = 1
      open.retry = clock.setInterval(() => {
        if (++tries >= retry.tries) clock.clearInterval(open.retry)
        if (isOrder(command.name)) send(open)
        else devices.repeatWanted(command.uid)
      }, retry.intervalMs)
    }
    openById.set(command.id, open)
    openByUnit.set(command.uid, (openByUnit.get(command.uid) ?? new Set()).add(open))
    return open
  }

  /** A report may show that a command is carried out. */
  function checkApplied(unitId: string): void {
    const unit = units.values(unitId)
    const memory = units.memory(unitId)
    if (unit?.offline) confirmShutdown(unitId)
    if (!unit || !memory || unit.offline) return
    for (const open of ofUnit(unitId)) {
      const { revision } = open.command.args as CommandArgs
      // An older revision may match by chance; only a report of this one counts.
      if (revision === undefined || (memory.actual.appliedRevision ?? 0) < revision) continue
      advance(open, 'accepted')
      showFailure(open)
      if (isShownBy(open.command, memory.actual, unit)) advance(open, 'confirmed')
    }
  }

  /** A unit that has accepted its shutdown shows by its disconnection that it is off. */
  function confirmShutdown(unitId: string): void {
    for (const open of ofUnit(unitId))
      if (open.command.name === 'shutdown' && open.command.state === 'accepted') advance(open, 'confirmed')
  }

  /** Why the unit does not do what was requested, by its newest report. */
  function failureOf(command: Command): Wording | undefined {
    return failureIn(command, units.memory(command.uid)?.actual ?? {})
  }

  /** The unit retries until the time is over; meanwhile its reason is shown. */
  function showFailure(open: Open): void {
    const why = failureOf(open.command)
    if (open.command.reason === (why?.message ?? null)) return
    open.command = { ...open.command, ...reasonFields(why), updatedAt: clock.nowMs() }
    publish(open.command)
  }

  function onOutcome(unitId: string, outcome: Outcome): void {
    const { id, revision, state } = outcome
    for (const open of ofUnit(unitId)) {
      const isMeant =
        id === undefined ? (open.command.args as CommandArgs).revision === revision : open.command.id === id
      if (!isMeant) continue
      // A change of the wanted state is confirmed by a report alone.
      if (state === 'confirmed' && !isOrder(open.command.name)) continue
      advance(open, state, state === 'refused' ? wordingOfFields(outcome, 'unit.refused') : undefined)
    }
  }

  events.on('unitChanged', ({ unitId }) => {
    if (openByUnit.get(unitId)?.size) checkApplied(unitId)
  })
  events.on('device:outcome', ({ deviceId, message }) => onOutcome(deviceId, message))
  events.on('deviceMoved', ({ deviceId }) => showCommand(deviceId, { command: null }))
  events.on('deviceConnected', ({ deviceId }) => {
    for (const open of ofUnit(deviceId)) send(open)
  })

  return {
    async write(transaction, { uid, name, by, args, retry = once }) {
      const nowMs = clock.nowMs()
      const command: StoredCommand = {
        id: `co-${randomBytes(9).toString('base64url')}`,
        uid,
        name,
        state: 'queued',
        reason: null,
        by,
        createdAt: nowMs,
        updatedAt: nowMs,
        args: { ...args },
        deadlineMs: nowMs + Math.max(COMMAND_DEADLINE_MS, (retry.tries + 1) * retry.intervalMs),
      }
      await insertCommand(transaction, command)
      return command
    },
    open(command, { retry = once, secret } = {}) {
      for (const older of ofUnit(command.uid)) {
        if (isAboutTheSame(older.command, command)) advance(older, 'superseded')
      }
      show(command)
      units.addEvent(
        command.uid,
        'command',
        unitEvent('command.requested', { name: command.name, by: command.by }),
      )
      send(follow(command, retry, secret))
      checkApplied(command.uid)
    },
    async start() {
      for (const command of await openCommands(db)) {
        show(command)
        follow(command, once)
      }
    },
    async stop() {
      for (const open of [...openById.values()]) close(open)
      await writes.stored()
    },
  }
}

const deadlineReason = ({ state }: Command, failure: Wording | undefined): Wording =>
  state === 'queued' ? wordingOf('unit.notConnected') : (failure ?? wordingOf('command.timedOut'))
