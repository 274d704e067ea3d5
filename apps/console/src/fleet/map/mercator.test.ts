import { expect, test } from 'vitest'
import {
  fitting,
  latOf,
  lngOf,
  panned,
  scaleBar,
  screenOf,
  screenX,
  screenY,
  soundView,
  xOf,
  yOf,
  zoomed,
} from './mercator.ts'

const view = { zoom: 3, lat: 0, lng: 0 }
const size = { width: 1000, height: 600 }

test('a place goes to the plane and back', () => {
  for (const [lat, lng] of [
    [51.5, -0.12],
    [-33.9, 151.2],
    [0, 0],
    [71, -179.9],
  ] as const)
    expect([latOf(yOf(lat)), lngOf(xOf(lng))]).toEqual([expect.closeTo(lat, 9), expect.closeTo(lng, 9)])
  expect([yOf(90), yOf(-90)]).toEqual([expect.closeTo(0, 5), expect.closeTo(1, 5)])
})

test('a push moves the ground with the hand, and over the date line', () => {
  const pushed = panned(view, 100, 50)
  const before = screenOf(view, size)
  const after = screenOf(pushed, size)
  const place = [xOf(20), yOf(40)] as const
  expect(screenX(after, place[0]) - screenX(before, place[0])).toBeCloseTo(100, 6)
  expect(screenY(after, place[1]) - screenY(before, place[1])).toBeCloseTo(50, 6)
  expect(panned({ ...view, lng: 179 }, -100, 0).lng).toBeCloseTo(-163.42, 1)
  expect(panned({ ...view, lat: 84 }, 0, 10_000).lat).toBeCloseTo(85.05, 1)
})

test('a zoom keeps the place under the pointer, within the limits', () => {
  const at = [200, -120] as const
  const placeAt = (of: typeof view) => {
    const { world, middleX, middleY } = screenOf(of, size)
    return [middleX + at[0] / world, middleY + at[1] / world]
  }
  const near = zoomed(view, 2, ...at)
  expect(near.zoom).toBe(5)
  expect(placeAt(near)).toEqual(placeAt(view).map((value) => expect.closeTo(value, 9)))
  expect([zoomed(view, 99).zoom, zoomed(view, -99).zoom]).toEqual([19, 1])
})

test('all of some bounds fit into the view, and one place is not enlarged without end', () => {
  const bounds = { minX: xOf(-10), maxX: xOf(30), minY: yOf(60), maxY: yOf(35) }
  const screen = screenOf(fitting(bounds, size), size)
  for (const x of [bounds.minX, bounds.maxX]) {
    expect(screenX(screen, x)).toBeGreaterThan(50)
    expect(screenX(screen, x)).toBeLessThan(950)
  }
  for (const y of [bounds.minY, bounds.maxY]) expect(Math.abs(screenY(screen, y) - 300)).toBeLessThan(250)
  expect(fitting({ minX: 0.5, maxX: 0.5, minY: 0.5, maxY: 0.5 }, size)).toEqual({ zoom: 14, lat: 0, lng: 0 })
})

test('a view that cannot be shown becomes one that can', () => {
  expect(soundView({ zoom: 99, lat: 95, lng: 190 })).toEqual({
    zoom: 19,
    lat: expect.closeTo(85.05, 2),
    lng: expect.closeTo(-170, 9),
  })
  expect(soundView({ zoom: Number.NaN, lat: Number.NaN, lng: Number.NaN })).toEqual(view)
})

test('the scale is a round length', () => {
  expect(scaleBar(view, 110)).toEqual({ metres: 2_000_000, px: expect.closeTo(102.2, 1) })
  expect(scaleBar({ zoom: 15, lat: 51.5, lng: 0 }, 110).metres).toBe(200)
})
