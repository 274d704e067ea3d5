/** Video return: the channels of a group, their inputs, and the return of one unit. */
import { z } from 'zod'
import { accepted, Done } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { exampleVrChannel } from '../examples/video-return.ts'
import { FeedSelectionMode, VideoReturnChannel, VrInput, VrInputId } from '../nouns/video-return.ts'

const Id = z.string().min(1).max(64)
const id = z.object({ id: Id })
const viewUnits = 'viewUnits' as const
const operateUnits = 'operateUnits' as const

const select = {
  method: 'PUT',
  summary: 'Selects the video return channel of a unit and, where users choose, its input; null selects none',
  permission: operateUnits,
  params: id,
  body: z.strictObject({ channel: Id.nullable(), input: VrInputId.nullish() }),
  response: Done,
  errors: [404, 409] as number[],
  example: { done: true },
} as const

export const videoReturn = {
  ofGroup: endpoint({
    method: 'GET',
    path: '/v0/groups/{groupId}/video-return-channels',
    summary: 'Video return channels of a group, by name',
    permission: viewUnits,
    params: z.object({ groupId: Id }),
    response: z.array(VideoReturnChannel),
    errors: [404],
    example: [exampleVrChannel],
    rows: ['EP-VRCH-01', 'EN-VRCH-01', 'ST-VRST-01'],
  }),
  capabilities: endpoint({
    method: 'GET',
    path: '/v2/vrChannels/{id}/capabilities',
    summary:
      'Capabilities of the channel: codecs of its server, whether it may be recorded, whether users choose the input',
    permission: viewUnits,
    params: id,
    response: z.record(z.string(), z.boolean()),
    errors: [404],
    example: { h264: true, h265: true, store: true, customFeed: false },
    rows: ['EP-VRCH-03'],
  }),
  inputSources: endpoint({
    method: 'GET',
    path: '/v2/vrChannels/{id}/inputSources',
    summary: 'Inputs of the channel in order of preference',
    permission: viewUnits,
    params: id,
    response: z.array(VrInput.extend({ enabled: z.boolean(), taken: z.boolean() })),
    errors: [404],
    example: [{ id: 'sdi-1', connected: true, standard: '1080p50', enabled: true, taken: true }],
    rows: ['EP-VRCH-04'],
  }),
  addresses: endpoint({
    method: 'GET',
    path: '/v2/vrChannels/{id}/ips',
    summary: 'Addresses at which units fetch the picture',
    permission: viewUnits,
    params: id,
    response: z.array(z.object({ ip: z.string(), port: z.number().int().nullable() })),
    errors: [404],
    example: [{ ip: '192.0.2.30', port: 24_000 }],
    rows: ['EP-VRCH-05'],
  }),
  chooseInput: endpoint({
    method: 'POST',
    path: '/v2/vrChannels/{id}/inputSources',
    summary: 'Sets whether the server or users choose the input and, for users, which one is shown',
    permission: operateUnits,
    params: id,
    body: z.strictObject({ feedSelectionMode: FeedSelectionMode, input: VrInputId.nullable().default(null) }),
    response: VideoReturnChannel,
    errors: [404, 409],
    example: exampleVrChannel,
    rows: ['EP-VRCH-06', 'EN-VRCH-13'],
  }),
  select: endpoint({ ...select, path: '/v2/units/{id}/vrChannels/selected', rows: ['EP-USET-40'] }),
  selectByUnit: endpoint({ ...select, path: '/v2/units/{id}/videoreturn', rows: ['EP-USET-04'] }),
  start: endpoint({
    method: 'POST',
    path: '/v2/units/{id}/vrChannels/stream',
    summary: 'Starts the return of the picture of the selected channel to the unit',
    permission: operateUnits,
    params: id,
    ...accepted,
    rows: ['EP-STRM-09'],
  }),
  stop: endpoint({
    method: 'DELETE',
    path: '/v2/units/{id}/vrChannels/stream',
    summary: 'Ends the video return of the unit',
    permission: operateUnits,
    params: id,
    ...accepted,
    rows: ['EP-STRM-10'],
  }),
}
