import { createSmpte } from './smpte.ts'
import { smpteRoutes } from './smpte-routes.ts'

export function smpteFeature(needs: Parameters<typeof createSmpte>[0]) {
  const smpte = createSmpte(needs)
  return { face: smpte, routes: { smpte: smpteRoutes(smpte) } }
}
