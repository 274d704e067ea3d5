/** Administration of channels: their server, their users, and their settings. */
import { z } from 'zod'
import { Channel, encoderInputs, InputKey } from './channels.ts'
import { Name } from './names.ts'

/** The most channels that one message to a server holds. */
export const CHANNELS_PER_SERVER = 64

/** A channel in the lists of administrators. */
export const AdministeredChannel = Channel.omit({
  rev: true,
  levels: true,
  health: true,
  reception: true,
}).extend({
  inventoryName: z.string(),
  isBusy: z.boolean().describe('A unit holds it, or it is in use: it cannot be removed'),
})
export type AdministeredChannel = z.infer<typeof AdministeredChannel>

/** A channel that receives a bonded unit has no input type; else it receives standard encoders. */
export const NewChannel = z.strictObject({
  name: Name,
  serverId: z.string().min(1).max(64),
  inputType: z.enum(encoderInputs).nullable().default(null),
  sdiNo: z
    .number()
    .int()
    .positive()
    .nullable()
    .default(null)
    .describe('The SDI output of the server that the channel feeds; one that no other channel feeds'),
})
export type NewChannel = z.infer<typeof NewChannel>

/** Fields that are not given keep their value. */
export const ChannelChange = z
  .strictObject({
    name: Name,
    forceOutput: z
      .boolean()
      .describe('Its outputs get a black picture while nothing comes in; from server version 6.1.2'),
    studio: z.boolean().describe('Marks it as a channel of a studio, by which channels are counted'),
    feedFrom: z
      .string()
      .min(1)
      .max(64)
      .nullable()
      .describe('Of a feed of a transceiver: the channel whose picture it takes; null for none'),
    feedStopped: z.boolean().describe('A stopped feed or input takes nothing from its channel or sources'),
  })
  .partial()
export type ChannelChange = z.infer<typeof ChannelChange>

/** A server on which channels can be made, with its free outputs. */
export const ChannelHost = z.object({
  uid: z.string(),
  name: z.string(),
  inventoryName: z.string(),
  inputTypes: z.array(z.enum(encoderInputs)),
  freeSdi: z.array(z.number().int()).describe('SDI outputs that no channel feeds'),
})
export type ChannelHost = z.infer<typeof ChannelHost>

/** The settings for a standard encoder. */
export const InputAccess = z.object({
  address: z.string().nullable().describe('Null until the server has reported it'),
  key: InputKey.describe('SRT or RIST passphrase, RTMP stream key or bearer token of WHIP'),
  url: z
    .string()
    .nullable()
    .describe(
      'Both in one, for encoders with a single field; null for WHIP, whose token is no part of the address',
    ),
})
export type InputAccess = z.infer<typeof InputAccess>
