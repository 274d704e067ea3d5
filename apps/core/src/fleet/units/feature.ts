import type { Inventories } from '../../platform/inventories/inventories.ts'
import { unitRoutes } from './unit-routes.ts'
import { createUnits } from './units.ts'
import { unitsOfInventoryRoutes } from './units-of-inventory-routes.ts'

export function unitsFeature(needs: Parameters<typeof createUnits>[0] & { inventories: Inventories }) {
  const units = createUnits(needs)
  return {
    face: units,
    routes: {
      units: unitRoutes({ ...needs, units }),
      inventories: unitsOfInventoryRoutes({ ...needs, units }),
    },
    start: units.start,
    stop: units.stop,
  }
}
