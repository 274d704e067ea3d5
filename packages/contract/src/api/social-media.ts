/** Go Live: forwarding the picture of a channel to a stream provider. */
import { z } from 'zod'
import { Done } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import {
  SocialMediaDetails,
  SocialMediaRequest,
  SocialMediaStart,
  SocialMediaStatus,
} from '../nouns/social-media.ts'
import { StreamMediaProfile } from '../nouns/system-settings.ts'

const Id = z.string().min(1).max(64)
const permission = 'transmit' as const
const ofUnit = {
  path: '/v0/units/{id}/stream/social_media',
  permission,
  params: z.object({ id: Id }),
  query: z.object({ group: Id.optional().describe('A group that the unit is in') }),
} as const

const exampleStatus: z.input<typeof SocialMediaStatus> = {
  status: 'preview',
  provider: 'Tube',
  title: 'Election night',
  delivery: 'sending',
}
const exampleDetails: z.input<typeof SocialMediaDetails> = {
  channelUid: 'ch-lon-1',
  provider: 'set-1',
  profile: 'set-2',
  mediaProfile: null,
  title: 'Election night',
  hasStreamKey: true,
  hasPreviewKey: false,
  providers: [
    {
      id: 'set-1',
      name: 'Tube',
      icon: 'T',
      profiles: [
        { id: 'set-2', provider: 'set-1', name: 'Standard', main: true, bitRate: 4500, resolution: 720 },
      ],
      mediaProfiles: [],
    },
  ],
}

export const socialMedia = {
  go: endpoint({
    ...ofUnit,
    method: 'POST',
    summary: 'Starts the preview of the stream, or publishes it; the given fields are stored for the channel',
    body: SocialMediaStart,
    response: SocialMediaStatus,
    errors: [404, 409],
    example: exampleStatus,
    rows: ['EP-STRM-15', 'ST-SOCIAL-01', 'ST-SOCIAL-02', 'GAP-STRM-06'],
  }),
  stop: endpoint({
    ...ofUnit,
    method: 'DELETE',
    summary: 'Ends the stream; the transmission continues',
    response: Done,
    errors: [404, 409],
    example: { done: true },
    rows: ['EP-STRM-16'],
  }),
  statuses: endpoint({
    method: 'GET',
    path: '/v0/groups/{group}/units/stream/social_media/status',
    summary: 'Streams of the units of a group',
    permission: 'watchTransmissions',
    params: z.object({ group: Id }),
    response: z.array(z.object({ uid: z.string(), socialMediaStatus: SocialMediaStatus.nullable() })),
    errors: [404],
    example: [{ uid: 'u-lon-03', socialMediaStatus: exampleStatus }],
    rows: ['EP-STRM-19'],
  }),
  mediaProfiles: endpoint({
    method: 'GET',
    path: '/channels/streamingmediaprofiles/fetch',
    summary: 'Media profiles of a provider, of all its domains or of one',
    permission,
    query: z.object({
      streamingProviderName: z.string().min(1).max(255),
      streamingProviderDomain: z.string().max(255).optional(),
    }),
    response: z.array(z.object({ id: z.string(), ...StreamMediaProfile.shape })),
    example: [
      {
        id: 'set-3',
        provider: 'set-1',
        domain: 'eu.live.tube.example',
        name: 'High',
        videoBitrate: 6000,
      },
    ],
    rows: ['EP-CHAN-36'],
  }),
  details: endpoint({
    method: 'GET',
    path: '/channels/socialmediadetails/fetch',
    summary: 'The stream provider of the channel, and the available choices',
    permission,
    query: z.object({ channelUid: Id }),
    response: SocialMediaDetails,
    errors: [404],
    example: exampleDetails,
    rows: ['EP-CHAN-37', 'GAP-API-16'],
  }),
  saveDetails: endpoint({
    method: 'POST',
    path: '/channels/socialmediadetails/update',
    summary: 'Sets the stream provider of the channel for its next stream',
    permission,
    body: SocialMediaRequest.extend({ channelUid: Id }),
    response: SocialMediaDetails,
    errors: [404, 409],
    example: exampleDetails,
    rows: ['EP-CHAN-38', 'GAP-API-16'],
  }),
}
