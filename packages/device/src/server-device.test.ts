import type { ServerWanted, StoredFile } from '@backhaul/contract/gateway/servers'
import { createTestClock } from '@backhaul/runtime/clock'
import { afterEach, expect, test } from 'vitest'
import { createServerDevice } from './server-device.ts'
import type { ServerFiles, ServerHardware } from './server-hardware.ts'
import { startCoreDouble } from './testing/core-double.ts'

const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
})

async function build() {
  const clock = createTestClock()
  const core = await startCoreDouble(clock.nowMs)
  cleanUps.push(core.stop)
  const applied: ServerWanted[] = []
  const disk = { files: [fileOf('One.mp4')], changed: () => {} }
  const lamps = { on: ['tally-2'], changed: () => {} }
  const sound = { levels: [] as ReturnType<ServerHardware['levels']> }
  const files: ServerFiles = {
    all: () => disk.files,
    rename({ fileName }, newFileName) {
      if (fileName !== 'One.mp4') throw new Error('The file is not on the disk.')
      disk.files = [fileOf(newFileName)]
      disk.changed()
    },
    remove() {},
    play() {},
    stopPlaying() {},
    onChange(listener) {
      disk.changed = listener
    },
  }
  const hardware: ServerHardware = {
    files,
    tallies: {
      on: () => lamps.on,
      onChange(listener) {
        lamps.changed = listener
      },
    },
    facts: () => ({
      capabilities: { protocolsIn: ['bonded'], protocolsOut: [], encoders: [], ffmpegVersion: null },
      addresses: ['192.0.2.1'],
      previewPort: null,
      ports: [{ slot: '1', ristPort: 20000, inputAddress: null }],
      loops: [],
      bootedAt: 1,
    }),
    sample: () => ({ usage: { cpuPercent: 3, memoryPercent: 4, storagePercent: 5 }, channels: [] }),
    levels: () => sound.levels,
    apply(wanted) {
      if (wanted.channels.some(({ slot }) => slot === 'missing')) throw new Error('There is no slot missing')
      applied.push(wanted)
    },
    restart() {},
    onChange() {},
  }
  const device = createServerDevice({
    coreUrl: core.url,
    identity: { product: 'MMH Server', serialNumber: 'hub-1', name: 'MCR-London', swVersion: '10.1.0' },
    registrationKey: 'key-of-the-group',
    tokens: { load: () => undefined, save() {}, clear() {} },
    hardware,
    slots: [{ slot: '1', name: 'London-1', inputType: null }],
    clock,
    random: () => 0,
  })
  cleanUps.push(device.stop)
  return { clock, core, applied, sound, disk, lamps }
}

const fileOf = (fileName: string): StoredFile => ({
  channelId: 'ch-1',
  unitId: '-',
  fileName,
  rootDirectory: 'recordings',
  sizeBytes: 1,
  modifiedMs: 1,
  isTransferring: false,
  media: null,
})

const channel = (slot: string) => ({
  channelId: 'ch-1',
  slot,
  name: 'London-1',
  intake: null,
  recording: false,
  outputs: [],
})

test('a server reports its slots and ports, follows the wanted channels and confirms the revision', async () => {
  const { clock, core, applied } = await build()
  expect(await core.next('hello')).toMatchObject({ kind: 'server', slots: [{ slot: '1', name: 'London-1' }] })
  expect((await core.next('serverReport')).actual).toMatchObject({
    ports: [{ ristPort: 20000 }],
    appliedRevision: 0,
  })
  await clock.advanceAsync(200)
  core.send({ type: 'serverWanted', revision: 4, state: { channels: [channel('1')] } })
  expect((await core.next('serverReport')).actual).toEqual({ appliedRevision: 4 })
  expect(applied).toEqual([{ channels: [channel('1')] }])
})

test('a wanted channel that the server cannot have is refused with the reason', async () => {
  const { core } = await build()
  await core.next('serverReport')
  core.send({ type: 'serverWanted', revision: 5, state: { channels: [channel('missing')] } })
  expect(await core.next('outcome')).toEqual({
    type: 'outcome',
    revision: 5,
    state: 'refused',
    reason: 'There is no slot missing',
  })
})

test('telemetry comes each second and sound levels only while there is sound', async () => {
  const { clock, core, sound } = await build()
  await core.next('serverReport')
  await clock.advanceAsync(1000)
  expect(await core.next('serverTelemetry')).toMatchObject({ usage: { cpuPercent: 3 }, channels: [] })
  sound.levels = [{ channelId: 'ch-1', levels: [{ peakDb: -9, rmsDb: -18 }] }]
  await clock.advanceAsync(200)
  expect(await core.next('levels')).toMatchObject({ channels: [{ channelId: 'ch-1' }] })
})

test('a server reports all its files, then the changes, and carries out the orders about them', async () => {
  const { clock, core, disk } = await build()
  expect(await core.next('files')).toEqual({
    type: 'files',
    begins: true,
    ends: true,
    removed: [],
    files: [fileOf('One.mp4')],
  })
  await clock.advanceAsync(1000)
  const file = { channelId: 'ch-1', unitId: '-', fileName: 'One.mp4' }
  const order = (id: string, args: object) =>
    core.send({ type: 'order', id, name: 'rename_file', args, deadlineMs: clock.nowMs() + 5000 } as never)
  order('o-1', { file, newFileName: 'Two.mp4' })
  expect(await core.next('outcome')).toMatchObject({ id: 'o-1', state: 'accepted' })
  expect(await core.next('files')).toMatchObject({
    begins: false,
    files: [fileOf('Two.mp4')],
    removed: [file],
  })
  expect(await core.next('outcome')).toMatchObject({ id: 'o-1', state: 'confirmed' })
  order('o-2', { file, newFileName: '../two.mp4' })
  expect(await core.next('outcome')).toMatchObject({ id: 'o-2', state: 'accepted' })
  expect(await core.next('outcome')).toMatchObject({ id: 'o-2', state: 'refused' })
  disk.files = Array.from({ length: 250 }, (_, at) => fileOf(`Many-${at}.mp4`))
  disk.changed()
  await clock.advanceAsync(1000)
  const counts = []
  for (let at = 0; at < 3; at++) counts.push((await core.next('files')).files.length)
  expect(counts).toEqual([100, 100, 50])
})

test('tallies are sent after the welcome and immediately with each change, ten times a second at most', async () => {
  const { clock, core, lamps } = await build()
  const switchTo = (...on: string[]) => {
    lamps.on = on
    lamps.changed()
  }
  expect(await core.next('tallies')).toEqual({ type: 'tallies', on: ['tally-2'] })
  await clock.advanceAsync(200)
  switchTo('tally-1')
  expect(await core.next('tallies')).toEqual({ type: 'tallies', on: ['tally-1'] })
  // A switcher that repeats what it has sent, and one that changes without a pause.
  switchTo('tally-1')
  for (let at = 0; at <= 200; at++) switchTo(`tally-${at % 3}`)
  await clock.advanceAsync(100)
  expect(await core.next('tallies')).toEqual({ type: 'tallies', on: ['tally-2'] })
  await clock.advanceAsync(200)
  switchTo()
  expect(await core.next('tallies')).toEqual({ type: 'tallies', on: [] })
})
