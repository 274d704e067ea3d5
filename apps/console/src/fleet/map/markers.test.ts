import { describe, expect, test } from 'vitest'
import { createMarkers, type MarkerLook } from './markers.ts'
import { screenOf } from './mercator.ts'

const live: MarkerLook = { key: 'live', share: 'live', severity: 'none' }
const offline: MarkerLook = { key: 'offline', share: 'offline', severity: 'critical' }
const size = { width: 1000, height: 600 }
const view = (zoom: number, lat = 0, lng = 0) => screenOf({ zoom, lat, lng }, size)

function marked(places: Readonly<Record<string, readonly [lat: number, lng: number]>>, look = live) {
  const markers = createMarkers<MarkerLook>()
  for (const [id, [lat, lng]] of Object.entries(places)) markers.put(id, { lat, lng, look })
  return markers
}

describe('[UNIT-018] units on the map', () => {
  test('are single where there is room, and one cluster where they would cover each other', () => {
    const markers = marked({ london: [51.5, -0.1], paris: [48.9, 2.4], lagos: [6.5, 3.4] })
    markers.put('calais', { lat: 50.9, lng: 1.9, look: offline })
    const far = markers.spots(view(3, 30), 3, null)
    expect(far.map(({ count }) => count).toSorted()).toEqual([1, 3])
    const cluster = far.find(({ count }) => count === 3)
    expect(cluster?.ids().toSorted()).toEqual(['calais', 'london', 'paris'])
    expect([...(cluster?.onShares ?? [])]).toEqual([2, 0, 0, 1])
    expect(cluster?.severity).toBe('critical')
    const near = markers.spots(view(7, 50.2, 1), 7, null)
    expect(near.map(({ id, count }) => `${id} ${count}`).toSorted()).toEqual([
      'calais 1',
      'london 1',
      'paris 1',
    ])
  })

  test('a push of the map changes no cluster, and no unit is lost or drawn twice', () => {
    const markers = createMarkers<MarkerLook>()
    for (let at = 0; at < 4000; at++)
      markers.put(`u${at}`, {
        lat: 35 + ((at * 7919) % 2500) / 100,
        lng: -10 + ((at * 104_729) % 4000) / 100,
        look: live,
      })
    const counts = (lat: number, lng: number) =>
      markers.spots(view(3.4, lat, lng), 3.4, null).map(({ count }) => count)
    const before = counts(48, 10)
    expect(before.reduce((sum, count) => sum + count, 0)).toBe(4000)
    expect(counts(47.3, 12.1).toSorted()).toEqual(before.toSorted())
  })

  test('the selected unit is drawn alone and last, regardless of what is near it', () => {
    const markers = marked({ a: [10, 10], b: [10, 10], c: [10, 10] })
    const spots = markers.spots(view(4), 4, 'b')
    expect(spots.map(({ id, count }) => [id, count])).toEqual([
      ['a', 2],
      ['b', 1],
    ])
    expect(spots[0]?.ids()).toEqual(['a', 'c'])
  })

  test('one that moves, leaves or changes is drawn as it is now', () => {
    const markers = marked({ a: [0, 0], b: [20, 20], c: [-20, -20] })
    markers.put('a', { lat: 0, lng: 5, look: offline })
    markers.remove('b')
    markers.remove('never')
    const spots = markers.spots(view(4), 4, null)
    expect(spots.map(({ id, look }) => [id, look.key]).toSorted()).toEqual([
      ['a', 'offline'],
      ['c', 'live'],
    ])
    const a = spots.find(({ id }) => id === 'a')
    expect(a?.x).toBeCloseTo(500 + (5 / 360) * 4096, 6)
    expect([markers.size(), markers.placeOf('b')]).toEqual([2, undefined])
    markers.clear()
    expect([markers.size(), markers.bounds()]).toEqual([0, undefined])
  })

  test('what is out of sight is not drawn; over the date line it is', () => {
    const markers = marked({ fiji: [-17.8, 178], samoa: [-13.8, -172], oslo: [59.9, 10.7] })
    const spots = markers.spots(view(4, -15, 179), 4, null)
    expect(spots.map(({ id }) => id).toSorted()).toEqual(['fiji', 'samoa'])
    expect(spots.every(({ x }) => x > 400 && x < 650)).toBe(true)
  })
})
