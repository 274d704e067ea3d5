/** Share links of video return channels, and what their pages show. */
import { z } from 'zod'
import { Done } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { NewShareLink, SeenShareLink, ShareLink, ShareLinkChange } from '../nouns/video-return-links.ts'

const Id = z.string().min(1).max(64)
const id = z.object({ id: Id })
const ofLink = id.extend({ linkId: Id })
const permission = 'administerDevices' as const

const example: ShareLink = {
  id: 'sl-1',
  description: 'Press office, election night',
  startsAt: '2026-11-21T20:00:00.000Z',
  endsAt: '2026-11-22T02:00:00.000Z',
  durationMinutes: 360,
  active: true,
  state: 'waiting',
  url: 'https://console.north.example/shared_return#Vb2pXyT0aWc1mK7sQd9LrE3u',
  viewers: 0,
  createdBy: 'nora',
  createdAt: '2026-11-21T10:00:00.000Z',
}

export const videoReturnLinks = {
  list: endpoint({
    method: 'GET',
    path: '/v2/vrChannels/{id}/sharelinks',
    summary: 'Share links of a video return channel, by their start',
    permission,
    // A reader of it could watch long after the API key has expired.
    closedToKeys: true,
    params: id,
    response: z.array(ShareLink),
    errors: [404],
    example: [example],
    rows: ['GAP-VR-01', 'EN-VRLINK-*', 'SC-VRET-02'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/v2/vrChannels/{id}/sharelinks',
    summary:
      'Makes a link to a page that shows the picture of the channel in a window of time; at most 10 per channel',
    permission,
    closedToKeys: true,
    params: id,
    body: NewShareLink,
    response: ShareLink,
    errors: [404, 409],
    example,
    rows: ['GAP-VR-01', 'CO-ADMIN-01', 'VA-STREAM-18', 'VA-STREAM-19', 'VA-STREAM-20', 'VA-STREAM-21'],
  }),
  change: endpoint({
    method: 'PUT',
    path: '/v2/vrChannels/{id}/sharelinks/{linkId}',
    summary: 'Changes a share link, ends it or opens it again; pages of an ended one stop at once',
    permission,
    closedToKeys: true,
    params: ofLink,
    body: ShareLinkChange,
    response: ShareLink,
    errors: [404],
    example: { ...example, active: false, state: 'ended' },
    rows: ['GAP-VR-01', 'EN-VRLINK-04', 'VA-STREAM-18', 'VA-STREAM-19'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/v2/vrChannels/{id}/sharelinks/{linkId}',
    summary: 'Deletes a share link; its pages stop at once',
    permission,
    params: ofLink,
    response: Done,
    errors: [404],
    example: { done: true },
    rows: ['GAP-VR-01'],
  }),
  look: endpoint({
    method: 'GET',
    path: '/v2/public/sharelinks/{token}',
    summary: 'What the page of a share link shows; the token is not logged',
    permission: 'anyone',
    params: z.object({ token: z.string().min(1).max(64) }),
    response: SeenShareLink,
    errors: [404, 429],
    example: {
      description: 'Press office, election night',
      channelName: 'Return-London-1',
      state: 'open',
      startsAt: '2026-11-21T20:00:00.000Z',
      endsAt: '2026-11-22T02:00:00.000Z',
      stream: '/preview/shared/b7Jq0sVYp2Zk4mXcT1dR/stream',
      reason: null,
    },
    rows: ['GAP-VR-01'],
  }),
}
