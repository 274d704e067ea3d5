// The ingest folder of a hub that is killed at each step of taking a file, and started again.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { patientMs, until } from '@backhaul/runtime/testing/until'
import { afterEach, expect, test } from 'vitest'
import { openTakenList } from './taken-list.ts'

const program = join(import.meta.dirname, '..', 'testing', 'ingest-program.ts')
const longMs = patientMs(120_000)
const inMemory = '/dev/shm'
const longAgo = new Date('2020-02-01T10:00:00Z')

const folders: string[] = []
const programs: ChildProcess[] = []
afterEach(() => {
  for (const one of programs.splice(0)) one.kill('SIGKILL')
  for (const one of folders.splice(0)) rmSync(one, { recursive: true, force: true })
})

function makeFolder(above: string): string {
  const made = mkdtempSync(join(above, 'backhaul-kills-'))
  folders.push(made)
  return made
}

/** An ingest folder below `above`, and the files of its channel. */
function openFolders(above: string) {
  const [inbox, data] = [makeFolder(above), makeFolder(tmpdir())]
  mkdirSync(join(inbox, 'London-1'))
  const place = (name: string) => join(inbox, 'London-1', name)
  const stored = (name: string) => join(data, 'uploads', 'ch-1', 'ingest', name)
  return {
    place,
    stored,
    isEmpty: () => readdirSync(place('')).length === 0 && openTakenList(data).paths().length === 0,
    storedNames: () =>
      existsSync(stored(''))
        ? readdirSync(stored(''))
            .filter((name) => !name.startsWith('.'))
            .sort()
        : [],
    labelsOf: (name: string) => JSON.parse(readFileSync(stored(`.${name}.labels`), 'utf8')),
    run(killedAt: number | string): ChildProcess {
      const args = ['--disable-warning=ExperimentalWarning', program, inbox, data, String(killedAt)]
      const started = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
      programs.push(started)
      return started
    },
  }
}

/** True where it was killed before it had taken the file. */
async function takeOneKilledAt(step: number, above: string): Promise<boolean> {
  const { place, stored, isEmpty, storedNames, labelsOf, run } = openFolders(above)
  writeFileSync(place('Harbour.mp4.json'), JSON.stringify({ slugline: 'Harbour' }))
  writeFileSync(place('Harbour.mp4'), 'first')
  utimesSync(place('Harbour.mp4'), longAgo, longAgo)
  const killed = run(step)
  await until(() => killed.signalCode !== null || (storedNames().length > 0 && isEmpty()), longMs)
  const wasKilled = killed.signalCode !== null
  if (!wasKilled) {
    killed.kill('SIGKILL')
    await once(killed, 'exit')
  }
  const isGone = !existsSync(place('Harbour.mp4'))
  if (isGone) writeFileSync(place('Harbour.mp4'), 'second')
  run(0)
  if (!isGone) {
    await until(() => storedNames().length > 0 && isEmpty(), longMs)
    writeFileSync(place('Harbour.mp4'), 'second')
  }
  await until(() => storedNames().length > 1 && isEmpty(), longMs)
  const contents = storedNames().map((name) => [name, readFileSync(stored(name), 'utf8'), labelsOf(name)])
  expect(contents, `killed at step ${step}`).toEqual([
    ['Harbour (2).mp4', 'second', {}],
    ['Harbour.mp4', 'first', { slugline: 'Harbour' }],
  ])
  expect(statSync(stored('Harbour.mp4')).mtimeMs, `killed at step ${step}`).toBeGreaterThan(longAgo.getTime())
  return wasKilled
}

/** One step more than there are to move a file, or to copy it when it cannot be moved. */
test.for([
  ['on the same disk', tmpdir(), 9],
  ['on another disk', existsSync(inMemory) ? inMemory : tmpdir(), 17],
] as const)(
  'a hub that is killed at any step takes the file once, and its labels are not those of the next, %s',
  { timeout: 2 * longMs },
  async ([, above, last]) => {
    const steps = Array.from({ length: last }, (_, at) => at + 1)
    const wereKilled = await Promise.all(steps.map((step) => takeOneKilledAt(step, above)))
    expect([wereKilled[0], wereKilled.at(-1)]).toEqual([true, false])
  },
)

test.runIf(existsSync(inMemory))(
  'a file whose copy got no name before the hub was killed, and another one got it since, is taken',
  async () => {
    const { place, stored, isEmpty, storedNames, run } = openFolders(inMemory)
    writeFileSync(place('Harbour.mp4'), 'from here')
    const killed = run(stored('.ingesting.part'))
    await once(killed, 'exit')
    expect([killed.signalCode, storedNames()]).toEqual(['SIGKILL', []])
    writeFileSync(stored('Harbour.mp4'), 'elsewhere')
    run(0)
    await until(isEmpty, longMs)
    expect(storedNames().map((name) => [name, readFileSync(stored(name), 'utf8')])).toEqual([
      ['Harbour (2).mp4', 'from here'],
      ['Harbour.mp4', 'elsewhere'],
    ])
  },
  2 * longMs,
)
