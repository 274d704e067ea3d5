import { describe, expect, it } from 'vitest'
import { placesOf } from './removal-places.ts'
import { removals } from './removals.ts'

describe('the removals of the kill rate', () => {
  it('each stand in the source, and leave a program without them', () => {
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
})
