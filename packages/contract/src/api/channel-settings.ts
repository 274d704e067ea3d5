/** Settings of a channel: what its units may send, who may take it, and how its server encodes what it sends on. */
import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import { exampleAdministeredChannel } from '../examples/channels.ts'
import { AdministeredChannel } from '../nouns/channel-administration.ts'
import { ChannelFfmpeg } from '../nouns/ffmpeg-settings.ts'
import { InputSourceRequest } from '../nouns/input-sources.ts'
import { LimitKbps } from '../nouns/unit-settings.ts'

const Id = z.string().min(1).max(64)
const params = z.object({ id: Id })
const permission = 'administerDevices' as const

const ofChannel = {
  permission,
  response: AdministeredChannel,
  errors: [404, 409] as number[],
  example: exampleAdministeredChannel,
}

const exampleFfmpeg: ChannelFfmpeg = {
  ffmpegSettings: { preset: 'fast', 'b:v': '4500k', g: '50' },
  ffmpegOverride: true,
}
const readFfmpeg = {
  method: 'GET',
  permission,
  params,
  response: ChannelFfmpeg,
  errors: [404] as number[],
  example: exampleFfmpeg,
} as const
const writeFfmpeg = {
  method: 'PUT',
  permission,
  params,
  body: ChannelFfmpeg,
  response: ChannelFfmpeg,
  errors: [404, 409] as number[],
  example: exampleFfmpeg,
} as const

export const channelSettings = {
  limit: endpoint({
    ...ofChannel,
    method: 'PUT',
    path: '/channels/bwLimit',
    summary:
      'Limits what a unit sends to the channel over all its links together, also while it sends; 0 removes the limit',
    body: z.strictObject({ uid: Id, limit: LimitKbps.describe('kbps') }),
    rows: ['EP-CHAN-39', 'EN-CHAN-10'],
  }),
  privateSession: endpoint({
    ...ofChannel,
    method: 'PUT',
    path: '/channels/privateSession',
    summary:
      'Begins or ends a private session: only administrators of the channel see its picture and send units to it',
    body: z.strictObject({ uid: Id, privateSession: z.boolean() }),
    rows: ['EP-CHAN-40', 'EN-CHAN-16', 'GAP-CHAN-09'],
  }),
  addSource: endpoint({
    ...ofChannel,
    method: 'POST',
    path: '/v2/channels/{id}/inputSources',
    summary:
      'Adds an address from which the server fetches the picture of an input channel; the first that gives one is kept',
    params,
    body: InputSourceRequest,
    rows: ['EP-CHAN-28', 'EN-CHAN-44'],
  }),
  removeSource: endpoint({
    ...ofChannel,
    method: 'DELETE',
    path: '/v2/channels/{id}/inputSources',
    summary: 'Removes one of these addresses; without any, encoders send to the input again',
    params,
    query: z.object({ source: Id }),
    rows: ['EP-CHAN-29'],
  }),
  ffmpeg: endpoint({
    ...readFfmpeg,
    path: '/v2/channels/{id}/ffmpeg',
    summary: 'Options of ffmpeg of a channel',
    rows: ['EP-CHAN-26'],
  }),
  setFfmpeg: endpoint({
    ...writeFfmpeg,
    path: '/v2/channels/{id}/ffmpeg',
    summary: 'Replaces the options of ffmpeg of a channel, and whether its server uses them',
    rows: ['EP-CHAN-27', 'EN-CHAN-12', 'EN-CHAN-13'],
  }),
  administeredFfmpeg: endpoint({
    ...readFfmpeg,
    path: '/v2/admin/channels/{id}/ffmpeg',
    summary: 'The same, for administration',
    rows: ['EP-CHAN-24'],
  }),
  setAdministeredFfmpeg: endpoint({
    ...writeFfmpeg,
    path: '/v2/admin/channels/{id}/ffmpeg',
    summary: 'The same, for administration',
    rows: ['EP-CHAN-25', 'GAP-CHAN-06'],
  }),
}
