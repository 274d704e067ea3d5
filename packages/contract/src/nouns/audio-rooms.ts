/** Audio rooms: users and units of a customer speak with each other, also called audio connect (EN-AROOM rows). */
import { z } from 'zod'
import { NAME_MAX } from './names.ts'

/** CO-ADMIN-23. */
export const AUDIO_ROOMS_PAGE = 100

/** Most participants of one room: each of them hears all the others. */
export const AUDIO_ROOM_PLACES = 8

const ids = z.array(z.string().min(1).max(64)).max(1000)

const fields = {
  name: z.string().trim().min(1).max(NAME_MAX),
  description: z.string().trim().max(255),
  interfaces: ids.describe('IFB interfaces that hear the room'),
  units: ids.describe('Units that may speak in it'),
  channels: ids.describe('Channels that it belongs to'),
}

export const AudioRoom = z.object({
  id: z.string(),
  inventory: z.string(),
  ...fields,
  participants: z.array(z.string()).describe('Names of the present participants'),
})
export type AudioRoom = z.infer<typeof AudioRoom>

export const NewAudioRoom = z.strictObject({
  ...fields,
  description: fields.description.default(''),
  interfaces: fields.interfaces.default([]),
  units: fields.units.default([]),
  channels: fields.channels.default([]),
})
export type NewAudioRoom = z.infer<typeof NewAudioRoom>

/** Fields that are not given keep their value. */
export const AudioRoomChange = z.strictObject(fields).partial()
export type AudioRoomChange = z.infer<typeof AudioRoomChange>

/** The offer of a browser, and whether it hears itself, to test microphone and connection. */
export const AudioOffer = z.strictObject({
  sdp: z
    .string()
    .min(1)
    .max(64 * 1024),
  echo: z.boolean().default(false),
})
export type AudioOffer = z.infer<typeof AudioOffer>

export const AudioSession = z.object({ session: z.string(), sdp: z.string() })
export type AudioSession = z.infer<typeof AudioSession>
