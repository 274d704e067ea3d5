/** Software versions for upgrades of devices: their customers and models (EN-SWV rows). */

import { z } from 'zod'
import { rule } from '../define/refusals.ts'
import { products, UnitTypeGroup } from './products.ts'

const Id = z.string().min(1).max(64)

/** Names of models that run software of their own. */
export const productNames = products.map(({ name }) => name)
const ProductName = z.enum(productNames as [string, ...string[]])

/** Dotted numbers, and the name of the build after them: 10.0.3, 10.0.3-b1842, 10.0.3.C11005 (VA-UPG-06, -07). */
const numberPattern = /^\d{1,5}(?:\.\d{1,5}){1,3}(?:[-+_.][A-Za-z][\w.-]*)?$/

const webAddress = z.url({ protocol: /^https?$/ })

const fields = {
  number: z
    .string()
    .trim()
    .max(32)
    .regex(numberPattern, { message: rule('field.pattern') }),
  description: z.string().trim().max(2000),
  releaseNotesUrl: z
    .string()
    .trim()
    .max(2048)
    .refine((text) => text === '' || webAddress.safeParse(text).success, { message: rule('field.pattern') }),
  path: z
    .string()
    .trim()
    .max(1024)
    .regex(/^[\x21-\x7e]*$/, { message: rule('field.pattern') })
    .describe('Where devices fetch it in the repository; empty: it cannot be installed yet'),
  products: z.array(ProductName).max(100).describe('Models that it is made for'),
  supportedDevices: z.array(UnitTypeGroup).max(20).describe('Kinds of hardware that can run it; none: all'),
  inventories: z.array(Id).max(1000).describe('Customers that may use it; none: all'),
  deprecated: z.boolean().describe('Nothing is upgraded to it any more'),
}

export const SoftwareVersion = z.strictObject(fields)
export type SoftwareVersion = z.infer<typeof SoftwareVersion>

/** Fields that are not given keep their value. */
export const SoftwareVersionChange = z.strictObject(fields).partial()
export type SoftwareVersionChange = z.infer<typeof SoftwareVersionChange>

export const NewSoftwareVersion = z.strictObject({
  number: fields.number,
  description: fields.description.default(''),
  releaseNotesUrl: fields.releaseNotesUrl.default(''),
  path: fields.path.default(''),
  products: fields.products.default([]),
  supportedDevices: fields.supportedDevices.default([]),
  inventories: fields.inventories.default([]),
  deprecated: fields.deprecated.default(false),
})

/** The short form of a version (EN-SWV-09, -10). */
export const VersionRecord = z.object({
  version: z.string(),
  versionNumberId: z.string(),
})
export type VersionRecord = z.infer<typeof VersionRecord>

export const KnownSoftwareVersion = z.object({
  id: z.string(),
  ...fields,
  inventories: fields.inventories.describe("Those in the caller's scope; none: all may have it"),
  versionRecord: VersionRecord,
  mayChange: z.boolean().describe('True when all of its customers are the caller’s'),
})
export type KnownSoftwareVersion = z.infer<typeof KnownSoftwareVersion>

/** One model that a version is made for. */
export const SoftwareVersionProduct = z.strictObject({ version: Id, product: ProductName })
export type SoftwareVersionProduct = z.infer<typeof SoftwareVersionProduct>

/** Columns for sorting and searching the list; `name` is the number too. */
export const softwareVersionKeys = ['number', 'description', 'name'] as const
