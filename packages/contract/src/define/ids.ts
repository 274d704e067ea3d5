/** Branded identifiers: strings on the wire, kept apart by the compiler. */
import { z } from 'zod'

const id = <B extends string>(brand: B) =>
  z
    .string()
    .min(1)
    .max(64)
    .regex(/^[\w.:@-]+$/)
    .brand(brand)

export const UnitId = id('UnitId')
export const ChannelId = id('ChannelId')
export const ServerId = id('ServerId')
export const GroupId = id('GroupId')
export const InventoryId = id('InventoryId')
export const UserId = id('UserId')
export const TransmissionId = id('TransmissionId')
export const CommandId = id('CommandId')

export type UnitId = z.infer<typeof UnitId>
export type ChannelId = z.infer<typeof ChannelId>
export type ServerId = z.infer<typeof ServerId>
export type GroupId = z.infer<typeof GroupId>
export type InventoryId = z.infer<typeof InventoryId>
export type UserId = z.infer<typeof UserId>
export type TransmissionId = z.infer<typeof TransmissionId>
export type CommandId = z.infer<typeof CommandId>

/** A device is a unit or a server; both dial the gateway. */
export type DeviceId = UnitId | ServerId
