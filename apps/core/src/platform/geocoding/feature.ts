import { createGeocoding } from './geocoding.ts'

export function geocodingFeature(needs: Parameters<typeof createGeocoding>[0]) {
  const geocoding = createGeocoding(needs)
  return { face: geocoding, start: geocoding.start, stop: geocoding.stop }
}
