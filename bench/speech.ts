/** (j) Speech: the mouth-to-ear delay between two crews through a hub, and how long the answer takes. */
import { spawnSync } from 'node:child_process'
import { constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { api } from '@backhaul/contract/api/api'
import type { Unit } from '@backhaul/contract/nouns/units'
import { bytesOf, createFrameCutter, FRAME_SAMPLES, type Frame } from '@backhaul/speech/frames'
import { everyFrame } from '@backhaul/speech/pace'
import { toneOf } from '@backhaul/speech/testing/tones'
import { type Person, signIn } from '../tests/stage/person.ts'
import { adminPassword, openStage } from '../tests/stage/stage.ts'
import { until } from '../tests/stage/until.ts'
import type { Bench } from './bench-result.ts'
import { median, quantile, rounded } from './figures.ts'

const words = 60
const wordFrames = 5
const pauseFrames = 40
const loud = 1500
/** The delay, both ways together, up to which a conversation feels immediate to users. */
const allowedMs = 600

/** Never quite silent: an open microphone hums. */
const hum: Frame = new Int16Array(FRAME_SAMPLES).fill(3)

/** A crew whose microphone and speaker are pipes of this program. */
interface Crew {
  readonly name: string
  readonly microphone: string
  readonly speaker: string
  /** Frames of the word that are still to be sent. */
  left: number
  onWord: () => void
}

function createCrew(folder: string, name: string): Crew {
  const [microphone, speaker] = [join(folder, `${name}-said`), join(folder, `${name}-heard`)]
  spawnSync('mkfifo', [microphone, speaker])
  return { name, microphone, speaker, left: 0, onWord: () => {} }
}

/** Listens to what the speaker of the crew plays. */
function listen(crew: Crew): Socket {
  let quiet = 0
  const fd = openSync(crew.speaker, constants.O_RDWR | constants.O_NONBLOCK)
  const socket = new Socket({ fd, readable: true, writable: false })
  const cut = createFrameCutter((frame) => {
    const isWord = frame.some((sample) => Math.abs(sample) > loud)
    if (isWord && quiet > wordFrames) crew.onWord()
    quiet = isWord ? 0 : quiet + 1
  })
  return socket.on('data', cut)
}

/** Speaks through the microphone of the crew from the moment on at which the unit opens it. */
async function speak(crew: Crew): Promise<() => void> {
  const fd = await until(`${crew.name} has its microphone open`, () => {
    try {
      return openSync(crew.microphone, constants.O_WRONLY | constants.O_NONBLOCK)
    } catch {
      return undefined
    }
  })
  const socket = new Socket({ fd, readable: false, writable: true })
  const word = toneOf(700)
  const end = everyFrame(() => {
    socket.write(bytesOf(crew.left > 0 ? word() : hum))
    if (crew.left > 0) crew.left--
  })
  return () => {
    end()
    socket.destroy()
  }
}

async function connect(person: Person, crews: readonly Crew[]): Promise<void> {
  const units = await until('both units', async () => {
    const found = await person.call(api.units.ofGroup, { query: { group: 'newsroom' } })
    const able = found.filter(({ idle, intercoms }: Unit) => idle && intercoms.length === 1)
    return able.length === crews.length ? able : undefined
  })
  const params = { id: units[0]?.inventoryId ?? '' }
  await person.call(api.services.add, { params, body: { name: 'web_aud_connect' } })
  await person.call(api.inventories.update, { params, body: { sipServer: 'rooms.example' } })
  const body = { name: 'Gallery', units: units.map(({ uid }) => uid) }
  const { id: destinationAccount } = await person.call(api.audioRooms.create, { params, body })
  for (const { uid } of units) {
    const line = { intercom: 1 as const, mode: 'audioRoom' as const, destinationAccount }
    await person.call(api.intercom.set, { params: { id: uid }, body: line })
    const now = async () => (await person.call(api.units.one, { params: { id: uid } })).intercoms[0]
    await until('the line is set', async () => (await now())?.destinationAccount === destinationAccount)
    await person.call(api.intercom.start, { params: { id: uid, session: 1 }, body: {} })
    await until('the line is connected', async () => (await now())?.state === 'connected')
  }
}

export const benchSpeech: Bench = async (stack) => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-speech-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const stage = await openStage()
  stack.defer(stage.stop)
  await stage.start('hub', { env: { BACKHAUL_HUB_CHANNELS: '1' } })
  const [first, second] = [createCrew(folder, 'Van-1'), createCrew(folder, 'Van-2')]
  for (const crew of [first, second]) {
    const listener = listen(crew)
    stack.defer(() => void listener.destroy())
    await stage.start('agent', {
      as: crew.name,
      env: {
        BACKHAUL_UNIT_NAME: crew.name,
        BACKHAUL_LINKS: 'a=127.0.0.2,b=127.0.0.3',
        BACKHAUL_RETURN_PORT: '0',
        BACKHAUL_MICROPHONE_1: `exec cat ${crew.microphone}`,
        BACKHAUL_SPEAKER_1: `exec cat > ${crew.speaker}`,
      },
    })
  }
  await connect(await signIn(stage.url, 'admin', adminPassword), [first, second])
  for (const crew of [first, second]) stack.defer(await speak(crew))
  const ways: number[] = []
  const rounds: number[] = []
  let saidMs = 0
  second.onWord = () => {
    ways.push(performance.now() - saidMs)
    second.left = wordFrames
  }
  first.onWord = () => rounds.push(performance.now() - saidMs)
  let frame = 0
  stack.defer(
    everyFrame(() => {
      if (++frame % pauseFrames !== 0) return
      saidMs = performance.now()
      first.left = wordFrames
    }),
  )
  await until('all words', () => rounds.length >= words, 120_000)
  const rowOf = (who: string, times: readonly number[]) => ({
    who,
    'median ms': rounded(median(times)),
    '95 % within ms': rounded(quantile(times, 0.95)),
    'longest ms': rounded(Math.max(...times)),
    words: times.length,
  })
  return {
    name: 'speech',
    title: '(j) Speech between two crews',
    setting: `Two agents with two links each and a hub on this machine; a tone is put into the microphone of the first every ${(pauseFrames * 20) / 1000} s, and the second answers with a tone as soon as it hears one.`,
    tables: [
      {
        caption: 'From the microphone to the speaker',
        rows: [rowOf('from crew to crew', ways), rowOf('and the answer back', rounds)],
      },
    ],
    ratios: [
      {
        id: 'speech-round-trip',
        what: 'median of the round trip',
        ratio: median(rounds),
        unit: 'ms',
        lowerIsBetter: true,
        goal: allowedMs,
      },
    ],
    remarks: [
      'Microphone and speaker are pipes: sound cards and sound servers add their own delay, 60 ms for each by the settings of the agent, and the links add theirs.',
      'A word crosses the network twice on its way, to the hub and to the other crew, and is collected for 60 ms at each end.',
    ],
  }
}
