/** Inventories: customer accounts (EN-INV rows). */
import { z } from 'zod'
import { NAME_MAX } from './names.ts'
import { RegistrationServer } from './registration-servers.ts'

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
  gauge: true,
  socialMedia: false,
  externalPreview: false,
  mjpegPreview: true,
  multipointContributor: false,
}

/** ExternalPreview is the document's name (EN-RECS-05); the others are the customer's properties as written there. */
const featureOf = (property: string): string => (property[0] ?? '').toUpperCase() + property.slice(1)

/** The features of a group, from the properties of its customer (GAP-INV-01). */
export const groupFeaturesOf = (properties: InventoryProperties): Record<string, boolean> =>
  Object.fromEntries(Object.entries(properties).map(([property, on]) => [featureOf(property), on]))

/** The inverse: the properties of a customer from the features of its group. */
export const propertiesOf = (features: Readonly<Record<string, boolean>>): Partial<InventoryProperties> =>
  Object.fromEntries(
    Object.keys(defaultProperties).map((property) => [property, features[featureOf(property)] === true]),
  )

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

/** The most secondary inventories of one, unless the installation sets another number (CO-ADMIN-13, GAP-INV-02). */
export const SECONDARY_INVENTORIES_MAX = 10

const shortText = z.string().trim().max(255)

/** A customer's name may hold blanks, unlike the names of devices. */
const fields = {
  name: z.string().trim().min(1).max(NAME_MAX),
  region: shortText,
  parent: z.string().min(1).max(64).nullable(),
  customerId: shortText,
  sipServer: RegistrationServer,
  cloudProvider: Inventory.shape.cloudProvider,
}

export const InventoryProperty = InventoryProperties.keyof()
export type InventoryProperty = z.infer<typeof InventoryProperty>

const someProperties = z.strictObject(InventoryProperties.partial().shape)

/** Fields that are not given are empty, and the properties are `defaultProperties`. */
export const NewInventory = z.strictObject({
  name: fields.name,
  region: fields.region.default(''),
  parent: fields.parent.default(null),
  customerId: fields.customerId.default(''),
  sipServer: fields.sipServer.default(''),
  cloudProvider: fields.cloudProvider.default(null),
  properties: someProperties.default({}),
})
export type NewInventory = z.infer<typeof NewInventory>

/** Fields that are not given keep their value. */
export const InventoryChange = z.strictObject({ ...fields, properties: someProperties }).partial()
export type InventoryChange = z.infer<typeof InventoryChange>

/** An inventory with the further columns of the list of customers. */
export const EnhancedInventory = Inventory.extend({
  parentName: z.string().nullable(),
  units: z.number().int(),
  channels: z.number().int(),
  groups: z.number().int(),
  users: z.number().int(),
  secondaries: z.number().int().describe('Inventories whose parent this one is'),
})
export type EnhancedInventory = z.infer<typeof EnhancedInventory>
