/** Streaming destinations of a channel, and where its stream can be fetched. */
import { z } from 'zod'
import { Done } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { Channel } from '../nouns/channels.ts'
import { DestinationRequest, StreamingDestination } from '../nouns/destinations.ts'

const Id = z.string().min(1).max(64)
const permission = 'administerDevices'

const example: StreamingDestination = {
  id: 'de-1',
  provider: 'Newsroom web',
  name: 'Web',
  streamType: 'RTMP',
  urlPrimary: 'rtmp://ingest.north.example/live',
  streamId: 'london-1',
  bitRate: 4500,
  hasPassword: false,
  hasPassphrase: false,
}

export const destinations = {
  ofChannel: endpoint({
    method: 'POST',
    path: '/channels/fetch_cdns',
    summary: 'Streaming destinations of a channel, by name',
    permission,
    audited: false,
    body: z.strictObject({ uid: Id }),
    response: z.array(StreamingDestination),
    errors: [404],
    example: [example],
    rows: ['EP-CHAN-30'],
  }),
  add: endpoint({
    method: 'POST',
    path: '/channels/add_details',
    summary: 'Adds a streaming destination; the server sends to it while the channel collects',
    permission,
    body: z.strictObject({ uid: Id, destination: DestinationRequest }),
    response: StreamingDestination,
    errors: [404, 409],
    example,
    rows: ['EP-CHAN-31', 'VA-STREAM-01', 'VA-STREAM-02', 'VA-STREAM-03'],
  }),
  update: endpoint({
    method: 'POST',
    path: '/channels/update_details',
    summary: 'Replaces a streaming destination; a password or passphrase that is not given is kept',
    permission,
    body: z.strictObject({ uid: Id, id: Id, destination: DestinationRequest }),
    response: StreamingDestination,
    errors: [404, 409],
    example,
    rows: ['EP-CHAN-32', 'VA-STREAM-01', 'VA-STREAM-02', 'VA-STREAM-03'],
  }),
  remove: endpoint({
    method: 'POST',
    path: '/channels/remove_details',
    summary: 'Removes a streaming destination',
    permission,
    body: z.strictObject({ uid: Id, id: Id }),
    response: Done,
    errors: [404],
    example: { done: true },
    rows: ['EP-CHAN-33'],
  }),
  mediaAccess: endpoint({
    method: 'POST',
    path: '/channels/mediaAccessOutputInfo',
    summary: 'Destinations of channels, and the addresses at which their streams can be fetched',
    permission: 'viewUnits',
    audited: false,
    body: z.strictObject({ uniqueIds: z.array(Id).min(1).max(100) }),
    response: z.array(
      Channel.pick({
        uniqueId: true,
        name: true,
        mode: true,
        streamingDestinations: true,
        rtmpOutputUrls: true,
      }),
    ),
    errors: [404],
    example: [
      {
        uniqueId: 'ch-lon-1',
        name: 'London-1',
        mode: 'CDN',
        streamingDestinations: [{ id: 'de-1', protocol: 'rtmp', url: 'rtmp://ingest.north.example/live/…' }],
        rtmpOutputUrls: ['rtmp://ingest.north.example/live/…'],
      },
    ],
    rows: ['EP-CHAN-17'],
  }),
}
