/** Point-to-point units: each transmits to one channel alone, its destination (EN-UKIND-04, EP-P2P rows). */
import { z } from 'zod'
import type { PlainCode } from '../define/refusals.ts'
import { type Channel, receivesUnits } from './channels.ts'
import { productOf } from './products.ts'
import type { Unit } from './units.ts'

const Id = z.string().min(1).max(64)

export const PointToPointUnit = z.object({
  uid: z.string().describe('Of the unit'),
  name: z.string(),
  destinationChannelUid: z.string(),
  destinationChannelName: z.string().describe('"" when the channel no longer exists'),
  streaming: z.boolean().describe('Whether a stream is wanted, from its start to its stop'),
})
export type PointToPointUnit = z.infer<typeof PointToPointUnit>

export const Destination = z.strictObject({ destinationChannelUid: Id })

/** Why the unit can have no destination; undefined when it can. */
export const pointToPointRefusal = ({ type }: Pick<Unit, 'type'>): PlainCode | undefined =>
  productOf(type).group === 'ptpUnits' ? undefined : 'p2p.otherProduct'

/** Why the channel can be no destination; undefined when it can. */
export const destinationRefusal = (
  channel: Pick<Channel, 'kind' | 'serverProductType'>,
): PlainCode | undefined => (receivesUnits(channel) ? undefined : 'p2p.cannotReceive')

/** Why the unit cannot transmit to the channel, or have it selected: it has a destination, and that is another one. */
export const otherChannelRefusal = (
  { destinationChannelUid }: Pick<Unit, 'destinationChannelUid'>,
  channelId: string | null | undefined,
): PlainCode | undefined =>
  destinationChannelUid === null || channelId === destinationChannelUid ? undefined : 'p2p.fixedDestination'
