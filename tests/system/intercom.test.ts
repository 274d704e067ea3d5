// Speech on the real path: crews behind NATs in an audio room of a hub, judged by the tones that their speakers play.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LinkGate, openLinkGate } from '@backhaul/bonding/testing/link-gate'
import { api } from '@backhaul/contract/api/api'
import type { Intercom, IntercomNumber } from '@backhaul/contract/nouns/intercom'
import type { Unit } from '@backhaul/contract/nouns/units'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { patientMs } from '@backhaul/runtime/testing/until'
import { SAMPLE_RATE } from '@backhaul/speech/frames'
import { loudnessOf } from '@backhaul/speech/testing/tones'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { goOnFromEachOther } from '../stage/chains.ts'
import { type Listener, type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

const ffmpegPath = findFfmpeg()
const folder = mkdtempSync(join(tmpdir(), 'backhaul-intercom-'))
/** Units dial the first address, the hub is at the second: the links are in between. */
const hubSeen = '127.0.0.11'
const hubReal = '127.0.0.21'
const links = ['127.0.0.2', '127.0.0.3'] as const
const longMs = patientMs(120_000)
const ifbFile = join(folder, 'ifb.raw')
/** The tone of the test programme. */
const programmeHertz = 440
/** The tone of each crew; all of a second of them is heard where it is much louder than this. */
const crews = { 'Van-1': 400, 'Van-2': 700 } as const
type Crew = keyof typeof crews
const audible = 3000
const absent = 300

const speakerOf = (crew: Crew) => join(folder, `${crew}.raw`)
const microphoneOf = (hertz: number) =>
  `exec ${ffmpegPath} -v error -nostdin -re -f lavfi -i sine=frequency=${hertz}:sample_rate=${SAMPLE_RATE},volume=2 -ac 1 -f s16le -flush_packets 1 pipe:1`
/** On the second line, which only Van-2 has. */
const second = { hertz: 1000, speaker: join(folder, 'Van-2-second.raw') }

/** The newest second that the speaker of a crew has played. */
function played(crew: Crew, path = speakerOf(crew)): Int16Array {
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 2))
  const last = whole.subarray(-SAMPLE_RATE * 2)
  return Int16Array.from({ length: last.length / 2 }, (_, at) => last.readInt16LE(at * 2))
}
const hears = (crew: Crew, hertz: number) => {
  const samples = played(crew)
  return samples.length === SAMPLE_RATE && loudnessOf(hertz, samples) > audible
}
const sizeOf = (path: string) => statSync(path).size
const bytesPlayed = (crew: Crew) => sizeOf(speakerOf(crew))
/** By both crews, of 20 ms each. */
const framesPlayed = () =>
  (Object.keys(crews) as Crew[]).reduce((sum, crew) => sum + bytesPlayed(crew), 0) / (SAMPLE_RATE / 25)
/** Two seconds of sound more than now. */
async function goesOn(crew: Crew): Promise<void> {
  const before = bytesPlayed(crew)
  await until(
    `${crew} hears more`,
    () => bytesPlayed(crew) > before + 4 * SAMPLE_RATE && hears(crew, crews[otherOf(crew)]),
    longMs,
  )
}
const otherOf = (crew: Crew): Crew => (crew === 'Van-1' ? 'Van-2' : 'Van-1')

describe.runIf(ffmpegPath)('intercom', () => {
  let stage: Stage
  let person: Person
  let push: Listener
  let gate: LinkGate
  let upGate: LinkGate
  let room: string
  let inventoryId: string
  const units = new Map<string, Unit>()
  goOnFromEachOther()

  const idOf = (crew: Crew) => units.get(crew)?.uid ?? ''
  const line = (unit: Record<string, unknown>, intercom: IntercomNumber = 1): Intercom | undefined =>
    (unit as Unit).intercoms?.[intercom - 1]
  const lineIs = (crew: Crew, check: (one: Intercom | undefined) => boolean, intercom: IntercomNumber = 1) =>
    push.until(`unit.${idOf(crew)}`, (unit) => check(line(unit, intercom)), longMs)

  beforeAll(async () => {
    stage = await openStage({ demo: 0 })
    const port = 30_000 + 2 * Math.floor(Math.random() * 10_000)
    gate = await openLinkGate(
      port,
      { delayMs: 20, jitterMs: 10 },
      { host: hubSeen, port, receiverHost: hubReal },
    )
    await stage.start('hub', {
      env: {
        BACKHAUL_HUB_ADDRESS: hubSeen,
        BACKHAUL_HUB_UNIT_HOST: hubReal,
        BACKHAUL_HUB_SPEECH_PORT: String(port),
        BACKHAUL_HUB_CHANNELS: '1',
        BACKHAUL_HUB_IFBS: 'test',
      },
    })
    person = await signIn(stage.url, 'admin', adminPassword)
    for (const crew of Object.keys(crews) as Crew[])
      await stage.start('agent', {
        as: crew,
        env: {
          BACKHAUL_UNIT_NAME: crew,
          BACKHAUL_LINKS: links.map((one, at) => `Modem ${at + 1}=${one}`).join(','),
          BACKHAUL_RETURN_PORT: '0',
          BACKHAUL_MICROPHONE_1: microphoneOf(crews[crew]),
          BACKHAUL_SPEAKER_1: `cat >> ${speakerOf(crew)}`,
          ...(crew === 'Van-2' && {
            BACKHAUL_IFB_SPEAKER: `cat >> ${ifbFile}`,
            BACKHAUL_MICROPHONE_2: microphoneOf(second.hertz),
            BACKHAUL_SPEAKER_2: `cat >> ${second.speaker}`,
          }),
        },
      })
    await until('both units', async () => {
      const found = await person.call(api.units.ofGroup, { query: { group: 'newsroom' } })
      for (const unit of found) if (unit.idle && unit.intercoms.length > 0) units.set(unit.name, unit)
      return units.size === 2
    })
    inventoryId = units.get('Van-1')?.inventoryId ?? ''
    const params = { id: inventoryId }
    await person.call(api.services.add, { params, body: { name: 'web_aud_connect' } })
    await person.call(api.inventories.update, { params, body: { sipServer: 'rooms.example' } })
    room = await makeRoom('Gallery')
    push = await person.listen(members().map((uid) => `unit.${uid}`))
  })
  afterAll(async () => {
    push?.close()
    await gate?.close()
    await upGate?.close()
    await stage?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const members = () => [...units.values()].map(({ uid }) => uid)
  async function makeRoom(name: string): Promise<string> {
    const body = { name, units: members() }
    return (await person.call(api.audioRooms.create, { params: { id: inventoryId }, body })).id
  }

  async function connect(crew: Crew, to = room, intercom: IntercomNumber = 1): Promise<void> {
    const params = { id: idOf(crew) }
    const body = { intercom, mode: 'audioRoom' as const, destinationAccount: to }
    await person.call(api.intercom.set, { params, body })
    await lineIs(crew, (one) => one?.destinationAccount === to, intercom)
    await person.call(api.intercom.start, { params: { ...params, session: intercom }, body: {} })
    await lineIs(crew, (one) => one?.state === 'connected' && one.transition === null, intercom)
  }
  async function disconnect(crew: Crew, intercom: IntercomNumber = 1): Promise<void> {
    await person.call(api.intercom.stop, { params: { id: idOf(crew), session: intercom } })
    await lineIs(crew, (one) => one?.state === null && one.transition === null, intercom)
  }

  test('[COMM-001] crews behind NATs that are not live hear each other, each without their own voice', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
    expect(units.get('Van-1')?.capabilities).toMatchObject({ intercom: true })
    expect(units.get('Van-1')?.capabilities.intercom2).toBeUndefined()
    expect(units.get('Van-2')?.capabilities).toMatchObject({ intercom2: true })
    await connect('Van-1')
    await connect('Van-2')
    for (const crew of Object.keys(crews) as Crew[]) {
      await until(`${crew} hears the other`, () => hears(crew, crews[otherOf(crew)]), longMs)
      expect(loudnessOf(crews[crew], played(crew))).toBeLessThan(absent)
    }
    const { items } = await person.call(api.audioRooms.list, { params: { id: inventoryId }, query: {} })
    expect(items[0]?.participants.toSorted()).toEqual(['Van-1', 'Van-2'])
  })

  test('[COMM-001] they hear each other through the loss of a link, and again after the loss of all', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
    gate.cut(links[0])
    await goesOn('Van-1')
    await goesOn('Van-2')
    expect(line(push.state(`unit.${idOf('Van-1')}`))).toMatchObject({ state: 'connected', failure: null })
    gate.cut(links[1])
    await lineIs(
      'Van-1',
      (one) => one?.state === 'connecting' && one.failureCause?.code === 'intercom.serverSilent',
    )
    gate.restore(links[0])
    gate.restore(links[1])
    for (const crew of Object.keys(crews) as Crew[]) {
      await lineIs(crew, (one) => one?.state === 'connected' && one.failure === null)
      await goesOn(crew)
    }
  })

  /** The speaker plays nothing any more. */
  const falls = (crew: Crew, path = speakerOf(crew)) =>
    until(
      `the speaker of ${crew} is silent`,
      async () => {
        const before = sizeOf(path)
        await new Promise((resolve) => setTimeout(resolve, 500))
        return sizeOf(path) === before
      },
      longMs,
    )

  test('[COMM-001] a jack that is off neither speaks nor plays, and the console shows the reason', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
    const params = { id: idOf('Van-1') }
    const setJack = (use: 'off' | 'intercom1') =>
      person.call(api.intercom.setJacks, { params, body: { jacks: [{ jack: 1, use }] } })
    await setJack('off')
    await lineIs('Van-1', (one) => one?.failureCause?.code === 'intercom.noHeadset')
    for (const crew of Object.keys(crews) as Crew[]) await falls(crew)
    await setJack('intercom1')
    await lineIs('Van-1', (one) => one?.failure === null)
    for (const crew of Object.keys(crews) as Crew[]) await goesOn(crew)
  })

  test('[COMM-001] speech continues while a unit is live, and ends with the session', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
    const params = { id: idOf('Van-1') }
    const [channel] = await person.call(api.channels.ofGroup, { query: { group: 'newsroom' } })
    const port = channel?.port ?? 0
    upGate = await openLinkGate(port, {}, { host: hubSeen, port, receiverHost: hubReal })
    await person.call(api.unitCommands.start, { params, body: { channel: channel?.uniqueId ?? '' } })
    await push.until(
      `unit.${idOf('Van-1')}`,
      (unit) => (unit as Unit).applications?.video?.state === 'streaming',
      longMs,
    )
    for (const crew of Object.keys(crews) as Crew[]) await goesOn(crew)
    // Speech is sent over every link, regardless of the shares of the picture.
    const shares = (units.get('Van-1')?.modems ?? []).map(({ port }, at) => [
      port,
      { priority: at + 1, limitKbps: 0 },
    ])
    await person.call(api.unitSettings.configure, {
      params,
      body: {
        leastCostBonding: 'per interface priority',
        totalLimitKbps: 1000,
        links: Object.fromEntries(shares),
      },
    })
    await until('the settings', async () => {
      const { settings } = await person.call(api.units.configuration, { params })
      return settings.totalLimitKbps === 1000
    })
    gate.cut(links[0])
    for (const crew of Object.keys(crews) as Crew[]) await goesOn(crew)
    gate.restore(links[0])
    const [before, heardBefore] = [gate.passed().up, framesPlayed()]
    for (const crew of Object.keys(crews) as Crew[]) await goesOn(crew)
    // Each frame that a crew hears was sent twice.
    expect(gate.passed().up - before).toBeGreaterThan(1.5 * (framesPlayed() - heardBefore))
    await person.call(api.unitCommands.stop, { params })
    await disconnect('Van-1')
    await falls('Van-2')
    expect(line(push.state(`unit.${idOf('Van-2')}`))).toMatchObject({ state: 'connected' })
  })

  test('[COMM-001] each of two lines speaks and hears in its own room alone', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
    const other = await makeRoom('Studio')
    await connect('Van-2', other, 2)
    const first = { hertz: crews['Van-2'], speaker: speakerOf('Van-2') }
    for (const [to, here, there] of [
      [other, second, first],
      [room, first, second],
    ] as const) {
      await connect('Van-1', to)
      const isAlone = () => loudnessOf(there.hertz, played('Van-1')) < absent
      await until('Van-1 hears this line alone', () => hears('Van-1', here.hertz) && isAlone(), longMs)
      const isHeard = () => loudnessOf(crews['Van-1'], played('Van-2', here.speaker)) > audible
      await until('this line hears Van-1', isHeard, longMs)
      const elsewhere = existsSync(there.speaker) ? sizeOf(there.speaker) : 0
      const before = sizeOf(here.speaker)
      await until('more of it', () => sizeOf(here.speaker) > before + 2 * SAMPLE_RATE, longMs)
      expect(sizeOf(there.speaker)).toBe(elsewhere)
      await disconnect('Van-1')
      await falls('Van-1')
      await falls('Van-2', here.speaker)
    }
    await disconnect('Van-2', 2)
  })

  test('[COMM-003] the crew hears the IFB of its channel always, or while it is live, lowered while a user speaks', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
    const inventory = { id: inventoryId }
    const params = { id: idOf('Van-2') }
    const [channel] = await person.call(api.channels.ofGroup, { query: { group: 'newsroom' } })
    await person.call(api.services.add, { params: inventory, body: { name: 'audio_ifb' } })
    const [ifb] = await until('the IFB', async () => {
      const found = await person.call(api.interfaces.ifbs, { params: inventory })
      return found.length > 0 ? found : undefined
    })
    await person.call(api.interfaces.associateIfb, {
      params: inventory,
      body: { ifb: ifb?.id ?? '', channel: channel?.uniqueId ?? '' },
    })
    await person.call(api.unitCommands.command, {
      params: { ...params, command: 'set_virtual_channel' },
      body: { virtualChannelName: channel?.uniqueId ?? '' },
    })
    expect(existsSync(ifbFile)).toBe(false)
    await person.call(api.ifb.setAlwaysOn, { params, body: { enabled: true } })
    const ifbIs = (state: 'connected' | undefined) =>
      push.until(`unit.${idOf('Van-2')}`, (unit) => (unit as Unit).applications?.ifb?.state === state, longMs)
    await ifbIs('connected')
    const heard = () => loudnessOf(programmeHertz, played('Van-2', ifbFile))
    await until(
      'the programme',
      () => played('Van-2', ifbFile).length === SAMPLE_RATE && heard() > 3000,
      longMs,
    )
    const full = heard()
    // The other crew speaks in the room of the IFB.
    await person.call(api.audioRooms.change, {
      params: { ...inventory, room },
      body: { interfaces: [ifb?.id ?? ''] },
    })
    await connect('Van-1')
    await until(
      'the voice over the programme',
      () => loudnessOf(crews['Van-1'], played('Van-2', ifbFile)) > audible && heard() < full / 3,
      longMs,
    )
    expect(loudnessOf(crews['Van-2'], played('Van-2', ifbFile))).toBeLessThan(absent)
    await person.call(api.ifb.setAlwaysOn, { params, body: { enabled: false } })
    await ifbIs(undefined)
    await falls('Van-2', ifbFile)

    // From now on it belongs to the time on air.
    const before = sizeOf(ifbFile)
    await person.call(api.unitCommands.start, { params, body: { channel: channel?.uniqueId ?? '' } })
    await ifbIs('connected')
    await until(
      'the IFB on air',
      () =>
        sizeOf(ifbFile) > before + 4 * SAMPLE_RATE &&
        loudnessOf(crews['Van-1'], played('Van-2', ifbFile)) > audible,
      longMs,
    )
    await person.call(api.unitCommands.stop, { params })
    await ifbIs(undefined)
    await falls('Van-2', ifbFile)
  })
})
