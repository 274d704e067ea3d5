/** What administrators do to channels: where one stands, who may use it, and what can be set. */
import { z } from 'zod'
import { Channel, InputKey } from './channels.ts'
import { Name } from './names.ts'

/** As many as one message to a server holds. */
export const CHANNELS_PER_SERVER = 64

/** What the lists of administrators show of a channel. */
export const AdministeredChannel = Channel.omit({
  rev: true,
  levels: true,
  health: true,
  reception: true,
}).extend({
  inventoryName: z.string(),
  isBusy: z.boolean().describe('A unit holds it, or it is at work: it cannot be removed'),
})
export type AdministeredChannel = z.infer<typeof AdministeredChannel>

/** A channel that receives a bonded unit has no input type; else it takes standard encoders in. */
export const NewChannel = z.strictObject({
  name: Name,
  serverId: z.string().min(1).max(64),
  inputType: z.enum(['srt', 'rtmp']).nullable().default(null),
  sdiNo: z
    .number()
    .int()
    .positive()
    .nullable()
    .default(null)
    .describe('The SDI output of the server that the channel feeds; one that no other channel feeds'),
})
export type NewChannel = z.infer<typeof NewChannel>

/** What is not given stays. */
export const ChannelChange = z.strictObject({ name: Name }).partial()
export type ChannelChange = z.infer<typeof ChannelChange>

/** A server on which channels can be made, with what is free there. */
export const ChannelHost = z.object({
  uid: z.string(),
  name: z.string(),
  inventoryName: z.string(),
  inputTypes: z.array(z.enum(['srt', 'rtmp'])),
  freeSdi: z.array(z.number().int()).describe('SDI outputs that no channel feeds'),
})
export type ChannelHost = z.infer<typeof ChannelHost>

/** What is typed into a standard encoder. */
export const InputAccess = z.object({
  address: z.string().nullable().describe('Null until the server has told it'),
  key: InputKey.describe('SRT passphrase or RTMP stream key'),
  url: z.string().nullable().describe('Both in one, for encoders that take it so'),
})
export type InputAccess = z.infer<typeof InputAccess>
