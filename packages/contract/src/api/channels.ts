/** Reading channels; recording of a channel. */
import { z } from 'zod'
import { Accepted } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { exampleChannel } from '../examples/channels.ts'
import { Channel, MultiCameraChannel } from '../nouns/channels.ts'

const id = z.object({ id: z.string().min(1).max(64) })
const viewUnits = 'viewUnits' as const

export const channels = {
  ofGroup: endpoint({
    method: 'GET',
    path: '/channels/fetch',
    summary: 'All channels of a group',
    permission: viewUnits,
    query: z.object({ group: z.string().min(1).max(64) }),
    response: z.array(Channel),
    errors: [404],
    example: [exampleChannel],
    rows: ['EP-CHAN-06'],
  }),
  details: endpoint({
    method: 'GET',
    path: '/v2/internal/groups/{group}/channel-details',
    summary: 'All channels of a group with their details',
    permission: viewUnits,
    params: z.object({ group: z.string().min(1).max(64) }),
    response: z.array(Channel),
    errors: [404],
    example: [exampleChannel],
    rows: ['EP-CHAN-07'],
  }),
  status: endpoint({
    method: 'GET',
    path: '/v2/channels/{id}/status',
    summary: 'Status of a channel',
    permission: viewUnits,
    params: id,
    response: Channel.pick({
      status: true,
      tally: true,
      recording: true,
      reception: true,
      allocatedTo: true,
      allocatedToByApp: true,
      allocatedToUnitAlias: true,
      allocatedToUnitUid: true,
    }),
    errors: [404],
    example: {
      status: 'collecting',
      tally: exampleChannel.tally,
      recording: false,
      reception: exampleChannel.reception,
      allocatedTo: 'LU600-LON-03',
      allocatedToByApp: 'console',
      allocatedToUnitAlias: 'LU600-LON-03',
      allocatedToUnitUid: 'u-lon-03',
    },
    rows: ['EP-CHAN-01'],
  }),
  capabilities: endpoint({
    method: 'GET',
    path: '/v2/channels/{id}/capabilities',
    summary: 'What the channel can do; a missing name is false',
    permission: viewUnits,
    params: id,
    response: z.record(z.string(), z.boolean()),
    errors: [404],
    example: { webrtc: true },
    rows: ['EP-CHAN-02'],
  }),
  addresses: endpoint({
    method: 'GET',
    path: '/v2/channels/{id}/ips',
    summary: 'Addresses at which units and encoders reach the channel',
    permission: viewUnits,
    params: id,
    response: z.array(z.object({ ip: z.string(), port: z.number().int().nullable() })),
    errors: [404],
    example: [{ ip: '192.0.2.10', port: 20000 }],
    rows: ['EP-CHAN-03'],
  }),
  multiChannels: endpoint({
    method: 'GET',
    path: '/v2/groups/{id}/multiChannels',
    summary: 'Multi-camera channels of a group, each with the status aggregated from its members',
    permission: viewUnits,
    params: id,
    response: z.array(MultiCameraChannel),
    errors: [404],
    example: [
      {
        uniqueId: 'mc-1',
        name: 'London-Multi',
        sdi: false,
        channels: [{ uniqueId: 'ch-lon-1', status: 'collecting' }],
        status: 'collecting',
        collecting: 1,
        busy: true,
      },
    ],
    rows: ['EP-GRP-35'],
  }),
  record: endpoint({
    method: 'PUT',
    path: '/v2/channels/{id}/recording',
    summary: 'Starts or stops recording what the channel receives',
    permission: 'operateUnits',
    params: id,
    body: z.strictObject({ recording: z.boolean() }),
    response: Accepted,
    errors: [404, 409],
    example: { accepted: true },
    rows: ['EN-CHAN-07'],
  }),
}
