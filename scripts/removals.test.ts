import { describe, expect, it } from 'vitest'
import { holdsTests, placesOf } from './removal-places.ts'
import { removals } from './removals.ts'

describe('the removals of the kill rate', () => {
  it('are each in the source, and leave a valid program without them', () => {
    const outOfDate = removals.flatMap((rule) => {
      try {
        placesOf(rule)
        return []
      } catch (error) {
        return [String(error)]
      }
    })
    expect(outOfDate).toEqual([])
  })

  it('each have tests that may notice', () => {
    const named = new Set(removals.flatMap(placesOf).flatMap(({ tests }) => tests.map(({ path }) => path)))
    expect([...named].filter((test) => !holdsTests(test))).toEqual([])
    const unheld = removals.flatMap(placesOf).filter(({ tests }) => tests.length === 0)
    expect(unheld.map(({ place }) => place)).toEqual([])
  })
})
