// Clocks that are set while a unit is on air, with the real programs: each has a clock of its own (libfaketime).
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import type { Alert } from '@backhaul/contract/nouns/alerts'
import type { Channel } from '@backhaul/contract/nouns/channels'
import type { Unit } from '@backhaul/contract/nouns/units'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFaketime } from '../../scripts/setup.mjs'
import { type Listener, type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const library = findFaketime()
const patienceMs = patientMs(90_000)
const hour = 3600
/** The offset of the clock after each step: a day forward and back; at night an hour before. */
const offsets = [...(process.env.TEST_NIGHTLY ? [hour, 0] : []), 24 * hour, 0]
/** More than a busy machine is late, less than the smallest step. */
const nearMs = 20 * 60_000
const group = 'newsroom'

if (!library) console.warn('Clocks that are set: skipped, because libfaketime is not installed')

/** Each on a stage of its own, all at the same time: they wait for reports more than they work. */
const describeEach = findFfmpeg() && library ? describe.concurrent : describe.skip

describeEach.each(['agent', 'hub', 'core'] as const)('the clock of the %s', (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-clocks-'))
  let stage: Stage
  let hubMetricsUrl = ''
  let person: Person
  let push: Listener
  let unit: Unit
  let channel: Channel

  /** Atomically: a program that reads half a file would see another time. */
  function set(name: string, seconds: number): void {
    writeFileSync(join(folder, 'next'), `${seconds < 0 ? '-' : '+'}${Math.abs(seconds)}`)
    renameSync(join(folder, 'next'), join(folder, name))
  }
  function clockOf(name: string): NodeJS.ProcessEnv {
    set(name, 0)
    return {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: join(folder, name),
      // Its file is read once a second instead of at every reading of the clock.
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_RESET: '1',
      NO_FAKE_STAT: '1',
    }
  }

  const read = () => person.call(api.units.byId, { params: { id: unit.uid } })
  const channels = () => person.call(api.channels.ofGroup, { query: { group } })
  const shown = async () => (await channels()).find(({ uniqueId }) => uniqueId === channel.uniqueId)
  /** The rate at the channel, as its hub measured it last; 0 without a stream. */
  const receivedKbps = async () => {
    const now = await shown()
    return now?.status === 'collecting' ? (now.reception?.kbps ?? 0) : 0
  }
  const commandIs = (name: string) => async () => {
    const { command } = await read()
    return command?.name === name && command.state === 'confirmed'
  }
  const newestFigures = async () => {
    const points = await person.call(api.units.graph, { params: { id: unit.uid }, query: {} })
    return points.at(-1)?.ts ?? 0
  }

  const dateAt = async (url: string) => Date.parse((await fetch(url)).headers.get('date') ?? '')
  /** The time of a program, from its messages; the agent only shows it in its log. */
  const timeFor = {
    core: () => dateAt(stage.url),
    hub: () => dateAt(hubMetricsUrl),
    agent: async () => {
      const line = stage.lines.findLast((one) => one.startsWith('agent: {')) ?? 'agent: {}'
      return Date.parse((JSON.parse(line.slice('agent: '.length)) as { time?: string }).time ?? '')
    },
  }
  const isAhead = async (name: keyof typeof timeFor, seconds: number) =>
    Math.abs((await timeFor[name]()) - Date.now() - seconds * 1000) < nearMs

  /** Server and unit may well report that this machine is busy. */
  const alertsOfUnit = () =>
    (push.state(`group.${group}`).alerts as Alert[]).filter(
      ({ uid, type }) => uid === unit.uid && type !== 'encoderBehind' && type !== 'bitrateDrop',
    )

  async function starts(): Promise<void> {
    const params = { id: unit.uid }
    await person.call(api.unitCommands.start, { params, body: { channel: channel.uniqueId } })
    await until('the picture', receivedKbps, patienceMs)
    await until('the start', commandIs('start_streaming'), patienceMs)
  }

  async function stops(): Promise<void> {
    await person.call(api.unitCommands.stop, { params: { id: unit.uid } })
    await until('the stop', commandIs('stop_streaming'), patienceMs)
    await until('the channel to be idle', async () => (await shown())?.status !== 'collecting', patienceMs)
  }

  async function setsDelay(): Promise<void> {
    const { delay } = await read()
    const body = { delay: delay === 2000 ? 3000 : 2000 }
    await person.call(api.unitCommands.setDelay, { params: { id: unit.uid }, body })
    await until('the delay', commandIs('set_delay'), patienceMs)
    expect((await read()).delay).toBe(body.delay)
  }

  /** Picture, figures and push messages continue, by the same connections and the same transmission. */
  async function goesOn(): Promise<void> {
    const from = push.messages.length
    const receivedFrom = (topic: string) => () => push.messages.slice(from).some((one) => one.topic === topic)
    await until('messages of the unit', receivedFrom(`unit.${unit.uid}`), patienceMs)
    await until('messages of the channel', receivedFrom(`channel.${channel.uniqueId}`), patienceMs)
    const isOfNow = async () => Math.abs((await timeFor.core()) - (await newestFigures())) < 60_000
    await until('figures of now', isOfNow, patienceMs)
    const then = await newestFigures()
    await until('more figures', async () => (await newestFigures()) > then, patienceMs)
    const kbps = await receivedKbps()
    await until('the picture to continue', async () => ![0, kbps].includes(await receivedKbps()), patienceMs)
  }

  beforeAll(async () => {
    stage = await openStage({ env: clockOf('core'), hasOwnCore: true })
    const hub = await stage.start('hub', { env: { ...clockOf('hub'), BACKHAUL_HUB_METRICS_PORT: '0' } })
    hubMetricsUrl = (await hub.ready).metricsUrl ?? ''
    const agent = { ...clockOf('agent'), BACKHAUL_LINKS: '127.0.0.2,127.0.0.3', BACKHAUL_BITRATE_KBPS: '800' }
    await stage.start('agent', { env: agent })
    person = await signIn(stage.url, 'admin', adminPassword)
    const units = () => person.call(api.units.ofGroup, { query: { group } })
    unit = await until('the unit', async () => (await units()).find(({ idle }) => idle), patienceMs)
    const bonded = async () => (await channels()).find(({ inputType }) => inputType === null)
    channel = await until('a channel', bonded, patienceMs)
    push = await person.listen([`unit.${unit.uid}`, `channel.${channel.uniqueId}`, `group.${group}`])
  }, 2 * patienceMs)
  afterAll(async () => {
    push?.close()
    await stage?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test(
    'that is set forward and back ends nothing that is live',
    async ({ onTestFailed }) => {
      onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
      await starts()
      for (const offset of offsets) {
        const { transmission } = await read()
        const [before, alerts] = [push.messages.length, alertsOfUnit()]
        set(name, offset)
        if (name !== 'agent') await until('the clock to be set', () => isAhead(name, offset), patienceMs)
        await goesOn()
        await setsDelay()
        expect((await read()).transmission).toEqual(transmission)
        const receivedFrom = (topic: string, field: string) =>
          push.messages
            .slice(before)
            .filter((one) => one.topic === topic && field in (one.data as object))
            .map(({ data }) => (data as Record<string, unknown>)[field])
        expect(receivedFrom(`unit.${unit.uid}`, 'offline')).not.toContain(true)
        const statuses = receivedFrom(`channel.${channel.uniqueId}`, 'status')
        expect(statuses.filter((status) => status !== 'collecting')).toEqual([])
        expect(alertsOfUnit()).toEqual(alerts)
        if (offset === offsets.at(-1)) continue
        // By the new time a unit stops and starts as by any other.
        await stops()
        await starts()
        await until('the clock to be set', () => isAhead(name, offset), patienceMs)
      }
      await stops()
    },
    10 * patienceMs,
  )
})
