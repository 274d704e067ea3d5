/** Product types: which kind, which family, what they can do (EN-UPROD, EN-UTYPE rows, GAP-UNIT-18). */
import { z } from 'zod'

export const UnitTypeGroup = z.enum([
  'fieldUnits',
  'liteUnits',
  'smartUnits',
  'ptpUnits',
  'ptmpUnits',
  'mmhServer',
  'extenderDevices',
  'videoReturnServer',
  'transceiverServer',
  'ingestServer',
  'databridgeGateway',
])
export type UnitTypeGroup = z.infer<typeof UnitTypeGroup>

export type Product = {
  readonly name: string
  readonly group: UnitTypeGroup
  /** The leading digit decides the delay list: 2x, 6xx, 7xx … */
  readonly family: string
  readonly upgradable: boolean
  /** Alerts are raised for it (CO-UNIT-57, GAP-UNIT-15). */
  readonly alerts: boolean
}

const field = (name: string, family: string, upgradable = true): Product => ({
  name,
  group: 'fieldUnits',
  family,
  upgradable,
  alerts: ['300', '500', '600', '700', '800', '810'].includes(family),
})
const other = (name: string, group: UnitTypeGroup, upgradable = true): Product => ({
  name,
  group,
  family: '',
  upgradable,
  alerts:
    group === 'mmhServer' ||
    group === 'videoReturnServer' ||
    group === 'ingestServer' ||
    group === 'transceiverServer',
})

export const products: readonly Product[] = [
  field('LU-200', '200'),
  field('LU-300', '300'),
  field('LU-300S', '300'),
  field('LU-500', '500'),
  field('LU-600', '600'),
  field('LU-610', '600'),
  field('LU-700', '700'),
  field('LU-700SV', '700', false),
  field('LU-70L', '700', false),
  field('LU-800', '800'),
  field('LU-810', '810'),
  field('LU-40', '40', false),
  field('LU-Solo', 'solo', false),
  field('LU-Solo Pro', 'solo', false),
  field('Databridge Extender', 'extender', false),
  other('LU-Lite', 'liteUnits', false),
  other('LU-Smart', 'smartUnits', false),
  other('MultiPoint', 'ptmpUnits'),
  other('P2P', 'ptpUnits'),
  other('Drone Extender', 'extenderDevices'),
  other('Link Extender', 'extenderDevices'),
  other('MMH Server', 'mmhServer'),
  other('Video Return Server', 'videoReturnServer'),
  other('Transceiver Server', 'transceiverServer'),
  other('Ingest Server', 'ingestServer'),
  other('Databridge Gateway', 'databridgeGateway', false),
  other('Multimedia Hub', 'mmhServer'),
  other('Video Return Channel', 'videoReturnServer'),
  other('Transceiver Feed', 'transceiverServer'),
]

const byName = new Map(products.map((product) => [product.name, product]))

/** The product of a name; an unlisted one is a field unit without a family, so that a new model is still shown. */
export const productOf = (name: string): Product => byName.get(name) ?? { ...field(name, ''), alerts: true }

/** The kinds of units that a list of units holds (EN-UKIND rows). */
export const unitKinds = [
  'fieldUnits',
  'liteUnits',
  'smartUnits',
  'ptpUnits',
  'ptmpUnits',
  'extenderDevices',
  'servers',
] as const
export type UnitKind = (typeof unitKinds)[number]

const unitKindOfGroup = (group: UnitTypeGroup): UnitKind =>
  unitKinds.find((kind) => kind === group) ?? 'servers'

/** The kind of a product by its name; a databridge gateway is one of the servers. */
export const unitKindOf = (product: string): UnitKind => unitKindOfGroup(productOf(product).group)

/** True for products that a crew uses; servers and gateways are at the studio. */
export const isUnitProduct = ({ group }: Product): boolean => unitKindOfGroup(group) !== 'servers'

/** A user interface name without the maker's mark, for example "600" or "Smart". */
export const shortProductName = (name: string): string => name.replace(/^LU-/, '')
