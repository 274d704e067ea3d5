import { describe, expect, it } from 'vitest'
import { holdsTests, placesOf } from './mutant-places.ts'
import { mutants } from './mutants.ts'

describe('the mutants', () => {
  it('are each in the source, and leave a valid program without them', () => {
    const outOfDate = mutants.flatMap((rule) => {
      try {
        placesOf(rule)
        return []
      } catch (error) {
        return [String(error)]
      }
    })
    expect(outOfDate).toEqual([])
  })

  it('each have tests that may fail', () => {
    const named = new Set(mutants.flatMap(placesOf).flatMap(({ tests }) => tests.map(({ path }) => path)))
    expect([...named].filter((test) => !holdsTests(test))).toEqual([])
    const unheld = mutants.flatMap(placesOf).filter(({ tests }) => tests.length === 0)
    expect(unheld.map(({ place }) => place)).toEqual([])
  })
})
