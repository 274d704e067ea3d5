/** Graphics of a customer, and which of them is drawn over the output of a channel (SHELL-030, CHAN-017). */
import { z } from 'zod'
import { Done } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { examplePng } from '../examples/overlays.ts'
import { NewOverlay, Overlay, OverlayChoice, OverlayPicture, OverlayRef } from '../nouns/overlays.ts'

const id = z.object({ id: z.string().min(1).max(64) })
const one = id.extend({ overlayId: z.string().min(1).max(64) })
const permission = 'administerDevices' as const

const example: z.infer<typeof Overlay> = {
  id: 'ov-logo',
  inventory: 'inv-north',
  name: 'Station logo',
  width: 240,
  height: 96,
  bytes: 5120,
  createdAt: '2026-11-21T10:00:00.000Z',
  channels: [{ uniqueId: 'ch-lon-1', name: 'London-1' }],
}

export const overlays = {
  list: endpoint({
    method: 'GET',
    path: '/v2/inventories/{id}/overlays',
    summary: 'Graphics of the customer by name, each with the channels that use it',
    permission,
    params: id,
    response: z.array(Overlay),
    errors: [404],
    example: [example],
    rows: ['SC-ADM-04', 'GAP-SCR-05'],
  }),
  picture: endpoint({
    method: 'GET',
    path: '/v2/inventories/{id}/overlays/{overlayId}',
    summary: 'The picture of a graphic',
    permission,
    params: one,
    response: OverlayPicture,
    errors: [404],
    example: { id: 'ov-logo', png: examplePng },
    rows: ['SC-ADM-04'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/v2/inventories/{id}/overlays',
    summary: 'Adds a graphic: PNG, at most 2000x2000 pixels and 110 KB',
    permission,
    params: id,
    body: NewOverlay,
    response: Overlay,
    errors: [404, 409],
    example: { ...example, channels: [] },
    rows: [
      'VA-STREAM-22',
      'VA-STREAM-23',
      'VA-STREAM-24',
      'CO-ADMIN-55',
      'CO-ADMIN-56',
      'ER-OTHER-13',
      'ER-OTHER-14',
      'ER-OTHER-15',
    ],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/v2/inventories/{id}/overlays/{overlayId}',
    summary: 'Removes a graphic that no channel uses',
    permission,
    params: one,
    response: Done,
    errors: [404, 409],
    example: { done: true },
  }),
  choose: endpoint({
    method: 'PUT',
    path: '/v2/channels/{id}/overlay',
    summary: 'Sets the graphic over the output of the channel; requires version 8.0 and the graphics service',
    permission,
    params: id,
    body: OverlayChoice,
    response: OverlayRef,
    errors: [404, 409],
    example: { id: 'ov-logo', name: 'Station logo', place: 'topRight' },
    rows: ['SC-CHANS-05', 'CO-ADMIN-15', 'CO-ADMIN-03', 'EN-CHAN-19'],
  }),
  clear: endpoint({
    method: 'DELETE',
    path: '/v2/channels/{id}/overlay',
    summary: 'Removes the graphic from the channel',
    permission,
    params: id,
    response: Done,
    errors: [404],
    example: { done: true },
  }),
}
