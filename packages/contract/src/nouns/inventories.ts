/** Inventories: customer accounts (EN-INV rows). */
import { z } from 'zod'

export const InventoryProperties = z.object({
  mapView: z.boolean(),
  reboot: z.boolean(),
  lux: z.boolean(),
  vsim: z.boolean(),
  ptmp: z.boolean(),
  gauge: z.boolean(),
  socialMedia: z.boolean(),
  externalPreview: z.boolean(),
  mjpegPreview: z.boolean(),
  multipointContributor: z.boolean(),
})
export type InventoryProperties = z.infer<typeof InventoryProperties>

export const defaultProperties: InventoryProperties = {
  mapView: true,
  reboot: true,
  lux: false,
  vsim: false,
  ptmp: false,
  gauge: false,
  socialMedia: false,
  externalPreview: false,
  mjpegPreview: true,
  multipointContributor: false,
}

export const Ownership = z.enum([
  'lease',
  'sold',
  'psg',
  'rent',
  'r&d',
  'inventory',
  'roaming',
  'engineering',
  'demo',
])

export const Inventory = z.object({
  id: z.string(),
  name: z.string(),
  region: z.string().max(255),
  parent: z.string().nullable(),
  customerId: z.string().max(255),
  sipServer: z.string().max(255),
  cloudProvider: z.enum(['oracle', 'aws']).nullable(),
  properties: InventoryProperties,
})
export type Inventory = z.infer<typeof Inventory>
