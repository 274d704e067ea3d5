import { createTestClock } from '@backhaul/runtime/clock'
import { expect, test } from 'vitest'
import { Random } from '../random.ts'
import { SimulatedFiles } from './simulated-files.ts'

function build() {
  const clock = createTestClock()
  const taken = new Set<string>()
  const files = new SimulatedFiles({ clock, random: new Random(1), isFree: (id) => !taken.has(id) })
  let changes = 0
  files.onChange(() => changes++)
  return { clock, taken, files, changes: () => changes }
}

test('a recording grows while its channel is fed, and is a finished file afterwards', () => {
  const { clock, files, changes } = build()
  const recording = { channelId: 'ch-1', unitId: 'u-1', kbps: 4000 }
  for (let second = 0; second < 10; second++) {
    files.step([recording])
    clock.advance(1000)
  }
  expect(files.all()).toMatchObject([{ channelId: 'ch-1', unitId: 'u-1', isTransferring: true, media: null }])
  expect(files.all()[0]?.sizeBytes).toBe(5_000_000)
  files.step([])
  expect(files.all()).toMatchObject([{ isTransferring: false, media: { lengthMs: 9000 } }])
  const reported = changes()
  files.step([])
  expect(changes()).toBe(reported)
})

test('a unit that is seen for the first time has earlier recordings, which are renamed, removed and played one after the other', () => {
  const { clock, taken, files } = build()
  files.seen('ch-1', 'u-1')
  files.seen('ch-1', 'u-1')
  files.seen('ch-2', 'u-2')
  const first = files.all().find(({ channelId }) => channelId === 'ch-1')
  const second = files.all().find(({ channelId }) => channelId === 'ch-2')
  if (!first || !second) throw new Error('there are too few')
  expect(files.all().length).toBeLessThanOrEqual(6)
  expect(() => files.rename(first, second.fileName)).not.toThrow()
  const renamed = { ...first, fileName: second.fileName }
  expect(() => files.remove(first)).toThrow('not on the disk')
  files.play(renamed, 'ch-3')
  files.play(second, 'ch-3')
  const ids = files.playing('ch-3')
  expect(ids).toHaveLength(2)
  clock.advance((files.all().at(-1)?.media?.lengthMs ?? 0) + (second.media?.lengthMs ?? 0) + 900_000)
  files.step([])
  expect(files.playing('ch-3')).toEqual(ids.slice(1))
  files.stopPlaying(second, 'ch-3')
  expect(files.playing('ch-3')).toEqual([])
  taken.add('ch-3')
  expect(() => files.play(second, 'ch-3')).toThrow('Selected channel is busy or offline.')
  files.remove(second)
  expect(files.all()).not.toContainEqual(second)
})

test('a file of a unit grows while it comes, is listed once, and continues where it was interrupted', async () => {
  const { files, changes } = build()
  const key = { channelId: 'ch-1', unitId: 'u-1', fileName: 'Harbour.mp4' }
  const seen: (number | undefined)[] = []
  async function* pieces(ending?: Error) {
    for (let count = 0; count < 3; count++) {
      seen.push(files.all()[0]?.sizeBytes)
      yield new Uint8Array(1000)
    }
    if (ending) throw ending
  }
  await files.uploads.receive({ uploadId: 'ul-1', file: key, from: 0 }, pieces())
  expect(await files.uploads.kept('ul-1')).toBe('complete')
  expect(seen).toEqual([0, 1000, 2000])
  expect(files.all()).toMatchObject([
    { ...key, rootDirectory: 'uploads', sizeBytes: 3000, isTransferring: false, media: null },
  ])
  await expect(files.uploads.receive({ uploadId: 'ul-2', file: key, from: 0 }, pieces())).rejects.toThrow(
    'Name is already taken',
  )
  const reported = changes()
  const other = { ...key, fileName: 'Storm.mp4' }
  const incoming = { uploadId: 'ul-3', file: other, from: 0 }
  await expect(files.uploads.receive(incoming, pieces(new Error('cut off')))).rejects.toThrow('cut off')
  expect(files.all()).toHaveLength(1)
  expect(await files.uploads.kept('ul-3')).toBe(3000)
  await files.uploads.receive({ ...incoming, from: 3000 }, pieces())
  expect(files.all().at(-1)).toMatchObject({ fileName: 'Storm.mp4', sizeBytes: 6000, isTransferring: false })
  await files.uploads.forget('ul-3')
  expect(await files.uploads.kept('ul-3')).toBe(0)
  expect(changes()).toBeGreaterThan(reported)
})
