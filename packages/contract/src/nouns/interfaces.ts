/** Interfaces of servers in addition to picture and sound of channels: tallies, and IFBs for sound to units. */
import { z } from 'zod'

export const InterfaceKind = z.enum(['tally', 'ifb'])
export type InterfaceKind = z.infer<typeof InterfaceKind>

/** Tallies and IFBs of one server together. */
export const SERVER_INTERFACES_MAX = 64

/** An interface as its server reports it; the id is the server's own. */
export const ServerInterface = z.object({
  id: z.string().regex(/^[\w-]{1,32}$/),
  kind: InterfaceKind,
  name: z.string().min(1).max(64),
})
export type ServerInterface = z.infer<typeof ServerInterface>

const shown = {
  id: z.string(),
  name: z.string(),
  serverId: z.string(),
  serverName: z.string(),
  online: z.boolean().describe('The server is connected and has it'),
  channel: z.string().nullable().describe('Id of the channel that it belongs to'),
  channelName: z.string().nullable(),
}

export const TallyInterface = z.object({
  ...shown,
  onAir: z.boolean(),
  supportedByUnit: z.boolean().describe('The unit on the channel shows tally'),
})
export type TallyInterface = z.infer<typeof TallyInterface>

export const Ifb = z.object({
  ...shown,
  frozen: z.boolean().describe('It belongs to a channel, and the service has ended'),
})
export type Ifb = z.infer<typeof Ifb>

const channel = z.string().min(1).max(64).nullable().describe('null: to none')
const interfaceId = z.string().min(1).max(128)
export const TallyAssociation = z.strictObject({ tally: interfaceId, channel })
export const IfbAssociation = z.strictObject({ ifb: interfaceId, channel })

/** The time that a unit buffers the sound of an IFB before it plays it: low and normal (CO-ADMIN-09, -10). */
export const ifbDelaysMs = [300, 700] as const
export const IfbDelay = z.literal([...ifbDelaysMs]).describe('Milliseconds: 300 is low, 700 normal')

export const UnitIfb = z.object({
  delay: IfbDelay,
  alwaysOn: z.boolean().describe('Also while the unit is not live; else only while it is'),
})
export type UnitIfb = z.infer<typeof UnitIfb>

/** The settings until users choose others. */
export const firstUnitIfb: UnitIfb = { delay: 700, alwaysOn: false }
