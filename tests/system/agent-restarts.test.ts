// `npm run agent` as an operator starts it: rebooted, with wrong settings, without a link to send on, shut down, and restarted with its machine.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import type { Unit } from '@backhaul/contract/nouns/units'
import { superviseChild } from '@backhaul/runtime/child-process'
import { WRONG_SETTINGS_CODE } from '@backhaul/runtime/settings'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { goOnFromEachOther } from '../stage/chains.ts'
import { type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const repository = join(import.meta.dirname, '..', '..')
const patienceMs = patientMs(90_000)
const folder = mkdtempSync(join(tmpdir(), 'backhaul-agent-'))
/** A line for each time that the machine is switched off: then the agent, which is the parent of the command, gets a signal. */
const powerFile = join(folder, 'power')
const shutdown = `echo off >> ${powerFile}; kill -TERM $PPID`
let stage: Stage
let person: Person
let agent: ReturnType<typeof startAgent>
let unit: Unit
goOnFromEachOther()

function startAgent(args: readonly string[], env: NodeJS.ProcessEnv) {
  const lines: string[] = []
  const child = superviseChild({
    command: 'npm',
    args: ['run', '--silent', 'agent', '--', ...args],
    cwd: repository,
    env: { ...process.env, BACKHAUL_LOG: 'json', ...env },
    onStdoutLine: (line) => lines.push(line),
    onStderrLine: (line) => lines.push(line),
    killAfterMs: 20_000,
  })
  /** The number of starts of an agent so far, by its log. */
  const ups = () => lines.filter((line) => line.includes('unit started')).length
  return { child, lines, ups }
}

const startUnit = (env: NodeJS.ProcessEnv = {}) =>
  startAgent(['--core', stage.url, '--data', folder], {
    BACKHAUL_LOCAL_KEY: stage.localKey,
    BACKHAUL_LINKS: '127.0.0.2,127.0.0.3',
    ...env,
  })

beforeAll(async () => {
  stage = await openStage({ demo: 0 })
  await stage.start('hub')
  agent = startUnit()
  person = await signIn(stage.url, 'admin', adminPassword)
  const units = () => person.call(api.units.ofGroup, { query: { group: 'newsroom' } })
  unit = await until(
    'the unit',
    async () => (await units()).find(({ offline, modems }) => !offline && modems.length > 0),
    patienceMs,
  )
}, 2 * patienceMs)
afterAll(async () => {
  await agent?.child.stop()
  await stage?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const read = () => person.call(api.units.byId, { params: { id: unit.uid } })
const commandOf = async () => (await read()).command

test(
  'a reboot restarts the agent, once, and is confirmed when it is back',
  async () => {
    expect(agent.ups()).toBe(1)
    await person.call(api.unitCommands.command, { params: { id: unit.uid, command: 'reboot' }, body: {} })
    await until('the confirmation', async () => (await commandOf())?.state === 'confirmed', patienceMs)
    expect(await commandOf()).toMatchObject({ name: 'reboot', reason: null })
    expect(agent.ups()).toBe(2)
    // A second restart would follow the second welcome.
    await until('figures of the new process', async () => !(await read()).offline)
    await new Promise((resolve) => setTimeout(resolve, 3000))
    expect(agent.ups()).toBe(2)
  },
  2 * patienceMs,
)

test(
  'a start that cannot send reports the reason to the operator',
  async () => {
    const off = unit.modems.map(({ port }) => ({ interface: port, enabled: false }))
    await person.call(api.unitCommands.setLinks, { params: { id: unit.uid }, body: off })
    await until('the links to be off', async () => (await read()).modems.every(({ enabled }) => !enabled))
    const channels = await person.call(api.channels.ofGroup, { query: { group: 'newsroom' } })
    const channel = channels.find(({ inputType }) => inputType === null)
    await person.call(api.unitCommands.start, {
      params: { id: unit.uid },
      body: { channel: channel?.uniqueId ?? '' },
    })
    await until('the end of the command', async () => (await commandOf())?.state === 'timedOut', patienceMs)
    expect((await commandOf())?.reason).toBe('The unit has no usable link.')
    await person.call(api.unitCommands.stop, { params: { id: unit.uid } })
    await until('the idle unit', async () => !(await read()).busy)
  },
  2 * patienceMs,
)

test(
  'a unit is switched off by the command of its owner, once, and only where there is one',
  async () => {
    const order = () =>
      person.call(api.unitCommands.command, { params: { id: unit.uid, command: 'shutdown' }, body: {} })
    const stopped = async () => {
      await agent.child.stop()
      await until('the end of the connection', async () => (await read()).offline, patienceMs)
    }
    await expect(order()).rejects.toMatchObject({ cause: { code: 'unit.noShutdown' } })
    await stopped()
    agent = startUnit({ BACKHAUL_SHUTDOWN: 'echo not allowed >&2; exit 1' })
    const isAllowed = async () => !(await read()).offline && (await read()).capabilities.shutdown === true
    await until('the unit that may be switched off', isAllowed, patienceMs)
    await order()
    await until('the refusal', async () => (await commandOf())?.state === 'refused', patienceMs)
    expect((await commandOf())?.reason).toBe('The shutdown failed (not allowed).')

    await stopped()
    agent = startUnit({ BACKHAUL_SHUTDOWN: shutdown })
    await until('the unit', isAllowed, patienceMs)
    await order()
    await until('the confirmation', async () => (await commandOf())?.state === 'confirmed', patienceMs)
    await until('the unit to be off', async () => (await read()).offline, patienceMs)
    await agent.child.exited
    agent = startUnit({ BACKHAUL_SHUTDOWN: shutdown })
    await until('the unit that is switched on again', async () => !(await read()).offline, patienceMs)
    expect(readFileSync(powerFile, 'utf8')).toBe('off\n')
    expect(agent.ups()).toBe(1)
  },
  4 * patienceMs,
)

test(
  'a machine is restarted by a reboot where its owner permits it, once, and the reboot is confirmed when it is back',
  async () => {
    const commands = join(folder, 'bin')
    const calls = join(folder, 'calls')
    mkdirSync(commands)
    /** In place of that of systemd. */
    const systemctl = (script: string) =>
      writeFileSync(join(commands, 'systemctl'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    const start = () =>
      startUnit({ BACKHAUL_REBOOT: 'machine', PATH: `${commands}:${process.env.PATH ?? ''}` })
    const reboot = () =>
      person.call(api.unitCommands.command, { params: { id: unit.uid, command: 'reboot' }, body: {} })
    await agent.child.stop()
    await until('the end of the connection', async () => (await read()).offline, patienceMs)
    systemctl('echo Interactive authentication required. >&2; exit 1')
    agent = start()
    await until('the unit', async () => !(await read()).offline, patienceMs)
    await reboot()
    await until('the refusal', async () => (await commandOf())?.state === 'refused', patienceMs)
    expect((await commandOf())?.reason).toBe('The reboot failed (Interactive authentication required.).')

    // The machine ends its programs, and then starts them again.
    systemctl(`echo "$@" >> ${calls}; kill -TERM $PPID`)
    await reboot()
    await agent.child.exited
    await until('the unit that is gone', async () => (await read()).offline, patienceMs)
    expect((await commandOf())?.state).toBe('accepted')
    agent = start()
    await until('the confirmation', async () => (await commandOf())?.state === 'confirmed', patienceMs)
    expect(await commandOf()).toMatchObject({ name: 'reboot', reason: null })
    expect(agent.ups()).toBe(1)
    expect(readFileSync(calls, 'utf8')).toBe('reboot\n')
  },
  4 * patienceMs,
)

test(
  'wrong settings are named, and the agent is not started again',
  async () => {
    const wrong = startAgent(['--core', stage.url, '--codec', 'av1'], {})
    expect(await wrong.child.exited).toMatchObject({ code: WRONG_SETTINGS_CODE })
    expect(wrong.lines.join('\n')).toContain('BACKHAUL_CODEC: must be h264 or h265 (given "av1")')
    expect(wrong.lines.filter((line) => line.includes('Settings are wrong'))).toHaveLength(1)
  },
  patienceMs,
)
