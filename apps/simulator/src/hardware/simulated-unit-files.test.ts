import { createTestClock } from '@backhaul/runtime/clock'
import { expect, test } from 'vitest'
import { Random } from '../random.ts'
import { derivedBytes, SimulatedUnitFiles } from './simulated-unit-files.ts'

function build(freeKbps = 8000) {
  const clock = createTestClock(1_795_000_000_000)
  const options = { root: '/media/internal', clock, random: new Random(7), freeKbps: () => freeKbps }
  return { clock, card: new SimulatedUnitFiles(options) }
}

test('a card has folders by day with files in them, the same at each listing, until one is deleted', async () => {
  const { card } = build()
  const days = await card.list('/media/internal')
  expect(days.length).toBeGreaterThan(2)
  expect(days.every(({ isFolder, name }) => isFolder && /^\d{4}-\d\d-\d\d$/.test(name))).toBe(true)
  const folder = `/media/internal/${days[0]?.name}`
  const files = await card.list(folder)
  expect(await card.list(`${folder}/`)).toEqual(files)
  const first = `${folder}/${files[0]?.name}`
  await card.remove(first)
  expect(await card.list(folder)).toEqual(files.slice(1))
  for (const gone of [card.remove(first), card.open(first), card.list('/media/other')])
    await expect(gone).rejects.toThrow('There is no such')
})

test('a file has as many bytes as its size, no faster than the links carry them', async () => {
  const { clock, card } = build(8000)
  card.add({ path: 'store/Clip.mp4', sizeBytes: 150_000, modifiedMs: 1 })
  const file = await card.open('/media/internal/store/Clip.mp4')
  expect(file.sizeBytes).toBe(150_000)
  const [first, rest] = [file.read(0, 100_000), file.read(100_000, 100_000)]
  let isThere = false
  void first.then(() => {
    isThere = true
  })
  // 100 kB at 8 Mbps.
  await clock.advanceAsync(99)
  expect(isThere).toBe(false)
  await clock.advanceAsync(1)
  const bytes = Buffer.concat([await first, await rest])
  expect(bytes.equals(derivedBytes(0, 150_000))).toBe(true)
})
