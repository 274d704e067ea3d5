/** Audio rooms of a customer, entering and leaving them (GAP-AUDIO-01). */
import { z } from 'zod'
import { Done, PageQuery, page } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import {
  AUDIO_ROOMS_PAGE,
  AudioOffer,
  AudioRoom,
  AudioRoomChange,
  AudioSession,
  NewAudioRoom,
} from '../nouns/audio-rooms.ts'

const id = z.object({ id: z.string().min(1).max(64) })
const room = id.extend({ room: z.string().min(1).max(64) })
const permission = 'administerAudioRooms' as const

const exampleRoom: AudioRoom = {
  id: 'ar-studio',
  inventory: 'inv-north',
  name: 'Studio 1 talkback',
  description: 'Director and crews',
  interfaces: ['ifb-1'],
  units: ['u-lon-03'],
  channels: ['ch-1'],
  participants: ['chief'],
}

export const audioRooms = {
  list: endpoint({
    method: 'GET',
    path: '/v2/inventories/{id}/audiorooms',
    summary: 'Audio rooms of the customer, with their present participants',
    permission,
    params: id,
    query: PageQuery.pick({ offset: true, search: true, sort: true }).extend({
      limit: PageQuery.shape.limit.unwrap().default(AUDIO_ROOMS_PAGE),
    }),
    response: page(AudioRoom),
    errors: [404],
    example: { items: [exampleRoom], total: 1, offset: 0, limit: AUDIO_ROOMS_PAGE },
    rows: ['EP-INV-23', 'CO-ADMIN-23', 'EN-AROOM-01', 'EN-AROOM-03', 'EN-INV-20'],
  }),
  count: endpoint({
    method: 'GET',
    path: '/v2/inventories/{id}/audiorooms/count',
    summary: 'Number of audio rooms of the customer',
    permission,
    params: id,
    response: z.object({ count: z.number().int() }),
    errors: [404],
    example: { count: 2 },
    rows: ['EP-INV-24'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/v2/inventories/{id}/audiorooms',
    summary: 'Adds an audio room; its name is unique in the inventory',
    permission,
    params: id,
    body: NewAudioRoom,
    response: AudioRoom,
    errors: [404, 409],
    example: { ...exampleRoom, participants: [] },
    rows: ['EN-AROOM-02', 'EN-AROOM-04', 'EN-AROOM-05', 'EN-AROOM-06'],
  }),
  change: endpoint({
    method: 'PUT',
    path: '/v2/inventories/{id}/audiorooms/{room}',
    summary: 'Changes an audio room',
    permission,
    params: room,
    body: AudioRoomChange,
    response: AudioRoom,
    errors: [404, 409],
    example: exampleRoom,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/v2/inventories/{id}/audiorooms/{room}',
    summary: 'Removes an empty audio room',
    permission,
    params: room,
    response: Done,
    errors: [404, 409],
    example: { done: true },
    rows: ['ER-OTHER-10'],
  }),
  join: endpoint({
    method: 'POST',
    path: '/v2/inventories/{id}/audiorooms/{room}/session',
    summary: 'Enters a room: the answer of the server that carries its sound to the offer of a browser',
    permission,
    params: room,
    body: AudioOffer,
    response: AudioSession,
    errors: [404, 409, 503],
    example: { session: '6f0e1c0e-0000-4000-8000-000000000000', sdp: 'v=0' },
    rows: ['GAP-AUDIO-01', 'ST-AUDIO-01', 'ST-AUDIO-02'],
  }),
  leave: endpoint({
    method: 'DELETE',
    path: '/v2/inventories/{id}/audiorooms/{room}/session',
    summary: "Ends the caller's own session in a room",
    permission,
    params: room,
    query: z.object({ session: z.string().min(1).max(64) }),
    response: Done,
    errors: [404],
    example: { done: true },
    rows: ['GAP-AUDIO-01', 'ST-AUDIO-03', 'ST-AUDIO-04'],
  }),
}
