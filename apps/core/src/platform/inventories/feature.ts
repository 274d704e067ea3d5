import { createInventories } from './inventories.ts'
import { inventoryRoutes } from './inventory-routes.ts'

export function inventoriesFeature(needs: Parameters<typeof createInventories>[0]) {
  const inventories = createInventories(needs)
  return { face: inventories, routes: { inventories: inventoryRoutes(inventories) } }
}
