import { describe, expect, it } from 'vitest'
import { cleared, filled, freeTile, type Layout, placed, shownChannels } from './layout.ts'

const layout: Layout = { tiles: 4, channels: ['a', 'b', null, 'gone', 'beyond'], audio: 'b' }
const known = (id: string) => id !== 'gone'

describe('layout of the wall', () => {
  it('shows as many tiles as chosen, without unknown channels and without doubles', () => {
    expect(shownChannels(layout, known)).toEqual(['a', 'b', null, null])
    expect(shownChannels({ ...layout, channels: ['a', 'a'] }, known)).toEqual(['a', null, null, null])
  })
  it('swaps when the channel is on another tile', () => {
    expect(placed(layout, 'a', 1).channels).toEqual(['b', 'a', null, 'gone', 'beyond'])
    expect(placed(layout, 'c', 2).channels).toEqual(['a', 'b', 'c', 'gone', 'beyond'])
  })
  it('silences a channel that is taken off', () => {
    expect(cleared(layout, 1)).toEqual({
      tiles: 4,
      channels: ['a', null, null, 'gone', 'beyond'],
      audio: null,
    })
    expect(cleared(layout, 0).audio).toBe('b')
  })
  it('finds the free tile, and the last when none is free', () => {
    expect(freeTile(['a', null, 'c'])).toBe(1)
    expect(freeTile(['a', 'b'])).toBe(1)
  })
  it('fills in order', () => expect(filled(layout, ['x', 'y']).channels).toEqual(['x', 'y', null, null]))
})
