// A real unit and a real hub get other versions of their software from signed packages, and return from those that fail.
import { spawnSync } from 'node:child_process'
import { createPrivateKey } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import type { Channel } from '@backhaul/contract/nouns/channels'
import type { Unit } from '@backhaul/contract/nouns/units'
import type { Upgrade } from '@backhaul/contract/nouns/upgrades'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { superviseChild } from '@backhaul/runtime/child-process'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { builtFolder } from '../../scripts/parts.ts'
import { packProgram } from '../../scripts/program-package.ts'
import { goOnFromEachOther } from '../stage/chains.ts'
import { type Person, signIn } from '../stage/person.ts'
import { mainOfStage } from '../stage/programs.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const repository = join(import.meta.dirname, '..', '..')
const patienceMs = patientMs(120_000)

/** The packages are made of the programs as `npm test` has built them. */
describe.runIf(findFfmpeg() && process.env.TEST_BUILT_PROGRAMS)('software from packages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-upgrades-'))
  const keyFile = join(folder, 'signing.pem')
  const agentData = join(folder, 'agent')
  const lines: string[] = []
  let packages: string
  let publicKey: string
  let stage: Stage
  let person: Person
  let agent: ReturnType<typeof superviseChild>
  let unitId: string
  let channel: Channel
  goOnFromEachOther()

  beforeAll(async () => {
    publicKey = script('package-key.ts', keyFile).trim()
    stage = await openStage({ demo: 0 })
    packages = join(stage.dataFolder, 'core', 'packages')
    mkdirSync(packages)
    await stage.start('hub', { env: { BACKHAUL_UPGRADE_KEY: publicKey } })
    person = await signIn(stage.url, 'admin', adminPassword)
    channel = await until('a channel of the hub', async () =>
      (await person.call(api.channels.ofGroup, { query: { group: 'newsroom' } })).find(({ name }) =>
        name.endsWith('Channel-1'),
      ),
    )
    agent = superviseChild({
      command: process.execPath,
      args: [
        join(repository, 'scripts', 'supervise.ts'),
        mainOfStage('agent'),
        '--core',
        stage.url,
        '--data',
        agentData,
      ],
      env: {
        ...process.env,
        BACKHAUL_LOG: 'json',
        BACKHAUL_LOCAL_KEY: stage.localKey,
        BACKHAUL_LINKS: '127.0.0.2,127.0.0.3',
        BACKHAUL_UPGRADE_KEY: publicKey,
      },
      onStdoutLine: (line) => lines.push(line),
      onStderrLine: (line) => lines.push(line),
      killAfterMs: 20_000,
    })
    const unit = await until('the unit', async () => {
      const [found] = await person.call(api.units.ofGroup, { query: { group: 'newsroom' } })
      return found?.idle && found.modems.length > 0 ? found : undefined
    })
    unitId = unit.uid
  }, 2 * patienceMs)
  afterAll(async () => {
    await agent?.stop()
    await stage?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** As an administrator runs it by npm; its standard output. */
  function script(name: string, ...args: string[]): string {
    const path = join(repository, 'scripts', name)
    const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`${name}: ${stderr}`)
    return stdout
  }

  const readUnit = (): Promise<Unit> => person.call(api.units.byId, { params: { id: unitId } })
  const current = (data = agentData) => readlinkSync(join(data, 'versions', 'current'))
  /** The number of starts of the agent, by its log. */
  const starts = () => lines.filter((line) => line.includes('unit started')).length
  const showLines = () => console.error([...lines, ...stage.lines].slice(-80).join('\n'))

  /** A package of the agent whose files `change` may alter, as a version that the administrator has released. */
  async function release(version: string, change: (files: string) => void = () => {}): Promise<string> {
    const files = join(mkdtempSync(join(folder, 'program-')), 'agent')
    cpSync(builtFolder(repository, 'agent'), files, { recursive: true })
    writeFileSync(join(files, 'package.json'), '{ "type": "module" }')
    change(files)
    await packProgram({
      folder: files,
      about: { program: 'agent', version, node: 24 },
      privateKey: createPrivateKey(readFileSync(keyFile)),
      target: join(packages, `agent-${version}.bhp`),
      seconds: 1_700_000_000,
    })
    return await announce(version, `agent-${version}.bhp`, (await readUnit()).type)
  }

  const announce = async (number: string, path: string, product: string): Promise<string> =>
    (await person.call(api.softwareVersions.create, { body: { number, path, products: [product] } })).id

  /** The end of an upgrade to this version. */
  async function upgraded(deviceId: string, versionNumberId: string): Promise<Upgrade> {
    const params = { id: deviceId }
    const { version } = await person.call(api.upgrades.setTarget, {
      params,
      body: { versionNumberId, upgradeNow: true },
    })
    return await until(
      `the end of the upgrade to ${version}`,
      async () => {
        const upgrade = await person.call(api.upgrades.target, { params })
        return upgrade && !['pending', 'upgrading'].includes(upgrade.state) ? upgrade : undefined
      },
      patienceMs,
    )
  }

  const channelStatus = async () =>
    (await person.call(api.channels.ofGroup, { query: { group: 'newsroom' } })).find(
      ({ uniqueId }) => uniqueId === channel.uniqueId,
    )?.status

  /** Sends to the channel until its picture is there, then stops. */
  async function sendsPictures(): Promise<void> {
    await until('the unit to be idle', async () => (await readUnit()).idle, patienceMs)
    const params = { id: unitId }
    await person.call(api.unitCommands.start, { params, body: { channel: channel.uniqueId } })
    await until('the channel to collect', async () => (await channelStatus()) === 'collecting', patienceMs)
    const still = await until(
      'a picture',
      async () => {
        const answer = await fetch(`${stage.url}/preview/${channel.uniqueId}/still.jpg`, {
          headers: { cookie: person.cookie },
        })
        return answer.ok ? Buffer.from(await answer.arrayBuffer()) : undefined
      },
      patienceMs,
    )
    expect(still.subarray(0, 2).toString('hex')).toBe('ffd8')
    await person.call(api.unitCommands.command, {
      params: { ...params, command: 'stop_streaming' },
      body: undefined,
    })
    await until('the channel to be idle', async () => (await channelStatus()) === 'idle', patienceMs)
    await until('the unit to be idle', async () => (await readUnit()).idle, patienceMs)
  }

  /** Another program with the same abilities: what it logs is its own. */
  function loggingOtherwise(files: string): void {
    const part = readdirSync(files).find((name) => readFileSync(join(files, name)).includes('unit started'))
    const path = join(files, part ?? '')
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace('unit started', 'unit started with another program'),
    )
  }

  test(
    '[UPG-002] a unit runs the version of the package, and sends its picture again; the way back is the same',
    async () => {
      onTestFailed(showLines)
      expect((await readUnit()).swVersion).toBe('8.0.0')
      expect(await upgraded(unitId, await release('8.0.1', loggingOtherwise))).toMatchObject({
        state: 'succeeded',
        percent: 100,
      })
      expect(lines.filter((line) => line.includes('another program'))).toHaveLength(1)
      expect(current()).toBe('8.0.1')
      expect((await readUnit()).swVersion).toBe('8.0.1')
      await sendsPictures()
      expect(await upgraded(unitId, await release('8.0.0-b2'))).toMatchObject({ state: 'succeeded' })
      expect(current()).toBe('8.0.0-b2')
      expect(starts()).toBe(3)
    },
    4 * patienceMs,
  )

  test(
    'a package with a broken signature changes nothing',
    async () => {
      onTestFailed(showLines)
      const id = await release('8.0.2')
      const file = join(packages, 'agent-8.0.2.bhp')
      const content = readFileSync(file)
      const at = content.indexOf('.') + 5
      content[at] = content[at] === 65 ? 66 : 65
      writeFileSync(file, content)
      expect(await upgraded(unitId, id)).toMatchObject({
        state: 'failed',
        resultCode: 101,
        cause: { code: 'upgrade.badSignature' },
      })
      expect([current(), starts()]).toEqual(['8.0.0-b2', 3])
      expect(readdirSync(join(agentData, 'versions')).toSorted()).toEqual([
        '8.0.0-b2',
        '8.0.1',
        'current',
        'set-up',
      ])
    },
    2 * patienceMs,
  )

  test(
    '[UPG-005] a version that does not come up is left for the one before, and the reason is shown',
    async () => {
      onTestFailed(showLines)
      const id = await release('8.0.3', (files) => writeFileSync(join(files, 'main.js'), 'process.exit(78)'))
      expect(await upgraded(unitId, id)).toMatchObject({
        state: 'failed',
        resultCode: 101,
        reason: 'The new version ended with an error; the previous one is running again.',
        cause: { code: 'upgrade.didNotStart' },
      })
      expect(current()).toBe('8.0.0-b2')
      expect((await readUnit()).swVersion).toBe('8.0.0-b2')
      await sendsPictures()
    },
    3 * patienceMs,
  )

  test(
    'a hub runs the version of a package that npm run package has made, and receives units again',
    async () => {
      onTestFailed(showLines)
      const made = script('package.ts', 'hub', '10.1.1', '--key', keyFile, '--out', packages)
      expect(made).toMatch(/^[0-9a-f]{64} {2}.*hub-10\.1\.1\.bhp\n$/)
      const data = join(stage.dataFolder, 'hub')
      const { deviceId } = JSON.parse(readFileSync(join(data, 'token.json'), 'utf8')) as { deviceId: string }
      const id = await announce('10.1.1', 'hub-10.1.1.bhp', 'MMH Server')
      expect(await upgraded(deviceId, id)).toMatchObject({ state: 'succeeded' })
      expect(current(data)).toBe('10.1.1')
      await sendsPictures()
    },
    3 * patienceMs,
  )
})
