import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { latOf, lngOf, xOf } from './mercator.ts'
import { type Atlas, countriesOf } from './world.ts'

const path = createRequire(import.meta.url).resolve('world-atlas/countries-50m.json')
const countries = countriesOf(JSON.parse(readFileSync(path, 'utf8')) as Atlas)
const country = (name: string) => countries.find((one) => one.name === name)

test('the outlines have every country, each with a name in it', () => {
  expect(countries.length).toBeGreaterThan(200)
  const france = country('France')
  expect([lngOf(france?.x ?? 0), latOf(france?.y ?? 0)]).toEqual([
    expect.closeTo(2.5, 0),
    expect.closeTo(46.6, 0),
  ])
})

test('no outline crosses the whole map: one over the date line continues beyond it', () => {
  for (const { name, rings } of countries)
    for (const { points, minX, maxX } of rings) {
      if (name === 'Antarctica') continue
      expect([name, maxX - minX < 0.5]).toEqual([name, true])
      for (let at = 2; at < points.length; at += 2)
        expect(Math.abs((points[at] ?? 0) - (points[at - 2] ?? 0))).toBeLessThan(0.1)
    }
  const russia = country('Russia')?.rings ?? []
  expect(Math.max(...russia.map(({ maxX }) => maxX))).toBeGreaterThan(1)
  expect(xOf(179) < 1).toBe(true)
})

test('what lies round the pole is closed along it', () => {
  const largest = country('Antarctica')?.rings.toSorted((a, b) => b.points.length - a.points.length)[0]
  expect([largest?.minX, largest?.maxX, largest?.maxY].map((value) => Number(value).toFixed(2))).toEqual([
    '0.00',
    '1.00',
    '1.00',
  ])
})
