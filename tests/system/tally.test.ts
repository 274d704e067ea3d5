// Tally on the real path: TSL UMD to a hub, core, and the light of a unit, which is a command of its owner.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import type { Channel } from '@backhaul/contract/nouns/channels'
import type { Unit } from '@backhaul/contract/nouns/units'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { signalProcess } from '@backhaul/runtime/testing/processes'
import { patientMs } from '@backhaul/runtime/testing/until'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { goOnFromEachOther } from '../stage/chains.ts'
import { type Listener, type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'backhaul-tally-'))
/** The arguments of the owner's command, one word a line. */
const lightFile = join(folder, 'light')
const longMs = patientMs(120_000)

/** The first lamp of a display of TSL UMD 3.1. */
const lamp3 = (address: number, isOn: boolean) =>
  Buffer.concat([Buffer.of(0x80 + address, isOn ? 0x31 : 0x30), Buffer.from('CAMERA'.padEnd(16))])
/** The left lamp of a display of TSL UMD 5.0, red or green. */
const lamp5 = (index: number, colour: 'red' | 'green') =>
  Buffer.of(10, 0, 0, 0, 0, 0, index, 0, colour === 'red' ? 0x10 : 0x20, 0, 0, 0)

async function freePort(): Promise<number> {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  return port
}

describe.runIf(findFfmpeg())('tally', () => {
  let stage: Stage
  let person: Person
  let push: Listener
  let unitId: string
  let channel: Channel
  let port: number
  const mixer = createSocket('udp4')
  goOnFromEachOther()

  const send = (datagram: Buffer) => mixer.send(datagram, port, '127.0.0.1')
  const words = () => {
    try {
      return readFileSync(lightFile, 'utf8').trim().split('\n')
    } catch {
      return []
    }
  }
  const light = (word: 'on' | 'off') =>
    until(`the light to be ${word}`, () => words().at(-1) === word, longMs)
  const params = () => ({ id: unitId })
  const inventory = () => ({ id: channel.inventoryId })
  const start = async () => {
    await person.call(api.unitCommands.start, { params: params(), body: { channel: channel.uniqueId } })
    await push.until(
      `unit.${unitId}`,
      (unit) => (unit as Unit).applications?.video?.state === 'streaming',
      longMs,
    )
  }

  beforeAll(async () => {
    port = await freePort()
    stage = await openStage({ demo: 0 })
    await stage.start('hub', {
      env: {
        BACKHAUL_HUB_CHANNELS: '1',
        BACKHAUL_HUB_TALLY_PORT: String(port),
        BACKHAUL_HUB_TALLIES: '3,8',
      },
    })
    await stage.start('agent', {
      env: {
        BACKHAUL_UNIT_NAME: 'Van-1',
        BACKHAUL_LINKS: 'Modem 1=127.0.0.2',
        BACKHAUL_RETURN_PORT: '0',
        BACKHAUL_TALLY_COMMAND: `printf '%s\\n' >> ${lightFile}`,
      },
    })
    const root = await signIn(stage.url, 'admin', adminPassword)
    const { items } = await root.call(api.users.list, { query: { search: 'admin' } })
    const own = { id: items[0]?.id ?? '' }
    await root.call(api.users.change, { params: own, body: { services: ['tally'] } })
    person = await signIn(stage.url, 'admin', adminPassword)
    const query = { group: 'newsroom' }
    const unit = await until('the unit', async () => {
      const [found] = await person.call(api.units.ofGroup, { query })
      return found?.idle ? found : undefined
    })
    unitId = unit.uid
    channel = await until('the channel', async () => (await person.call(api.channels.ofGroup, { query }))[0])
    push = await person.listen([`unit.${unitId}`, `channel.${channel.uniqueId}`])
  })
  afterAll(async () => {
    push?.close()
    mixer.close()
    await stage?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('[COMM-004] a lamp of the vision mixer lights that of the unit whose channel it belongs to', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
    const tallies = await until('the tallies of the hub', async () => {
      const found = await person.call(api.interfaces.tallies, { params: inventory() })
      return found.length > 0 ? found : undefined
    })
    expect(tallies.map(({ name }) => name)).toEqual(['Tally 3', 'Tally 8'])
    await person.call(api.interfaces.associateTally, {
      params: inventory(),
      body: { tally: tallies[0]?.id ?? '', channel: channel.uniqueId },
    })
    await light('off')
    send(lamp3(8, true))
    send(lamp3(3, true))
    const onAir = (state: Record<string, unknown>) => (state as Pick<Channel, 'tally'>).tally?.onAir === true
    await push.until(`channel.${channel.uniqueId}`, onAir)
    // The channel is in the programme, but receives no unit.
    expect(words()).toEqual(['off'])
    await start()
    await light('on')
    expect(push.state(`unit.${unitId}`).tally).toEqual({ onAir: true, supportedByUnit: true })
    await push.until(
      `channel.${channel.uniqueId}`,
      ({ tally }) => (tally as Channel['tally']).supportedByUnit,
    )
    send(lamp3(3, false))
    await light('off')
    send(lamp5(3, 'red'))
    await light('on')
    send(lamp5(3, 'green'))
    await light('off')
    expect(words()).toEqual(['off', 'on', 'off', 'on', 'off'])
  })

  test('[COMM-004] the light is off when the unit stops, while the channel is still in the programme', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
    send(lamp3(3, true))
    await light('on')
    await person.call(api.unitCommands.stop, { params: params() })
    await light('off')
    await push.until(`unit.${unitId}`, (unit) => (unit as Unit).idle, longMs)
    expect(push.state(`channel.${channel.uniqueId}`).tally).toMatchObject({ onAir: true })
    await start()
    await light('on')
  })

  test('[COMM-004] the light is on again after a restart of the hub, and off once core is gone', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
    signalProcess(stage.pidOf('hub'), 'SIGKILL')
    await light('off')
    await until(
      'the light to be on by the mixer, which repeats what it shows',
      () => {
        send(lamp3(3, true))
        return words().at(-1) === 'on'
      },
      longMs,
    )
    await stage.end('core')
    await light('off')
  })
})
