import { createLive } from './live.ts'

export function liveFeature(needs: Parameters<typeof createLive>[0]) {
  const live = createLive(needs)
  return { face: live }
}
