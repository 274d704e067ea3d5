/** Several cameras of one unit: its mode, where each camera goes, starting and stopping them. */
import { z } from 'zod'
import type { Action } from '../define/actions.ts'
import { accepted } from '../define/answers.ts'
import { endpoint } from '../define/endpoint.ts'
import { CAMERAS_MAX, CameraNumber, MultiCameraMode } from '../nouns/cameras.ts'
import { FeedSelectionMode } from '../nouns/video-return.ts'

const id = z.object({ id: z.string().min(1).max(64) })
const none = z.union([z.strictObject({}), z.undefined()])
const Channel = z.string().min(1).max(255).describe('Name or id')
const ChannelOnly = z.strictObject({ channel: Channel.nullable() })

/** Accepted like every command: the unit's own report confirms it. */
const call = <B extends z.ZodType>(
  method: 'PUT' | 'POST',
  path: string,
  summary: string,
  body: B,
  rows: readonly string[],
  permission: Action = 'operateUnits',
) =>
  endpoint({
    method,
    path: `/v2/units/{id}/${path}`,
    summary,
    permission,
    params: id,
    body,
    ...accepted,
    rows,
  })

const start = (path: string, summary: string, rows: readonly string[]) =>
  call('POST', `stream/${path}`, summary, none, rows, 'transmit')

const stop = (path: string, summary: string, rows: readonly string[]) =>
  endpoint({
    method: 'DELETE',
    path: `/v2/units/{id}/stream/${path}`,
    summary,
    permission: 'transmit',
    params: id,
    ...accepted,
    rows,
  })

const put = <B extends z.ZodType>(path: string, summary: string, body: B, rows: readonly string[]) =>
  call('PUT', path, summary, body, rows)

const Feeds = z.strictObject({
  numberOfFeeds: z.number().int().min(1).max(CAMERAS_MAX),
  channelSelectionMode: FeedSelectionMode.describe(
    'custom: a channel for each camera; automaticByServer: the members of the group channel, in order',
  ),
  customSelectedChannels: z.array(Channel).max(CAMERAS_MAX).default([]),
  channel: Channel.nullable().default(null).describe('The group channel'),
})

export const cameras = {
  setFeeds: put(
    'multiplecamera',
    'Sets the channel of each camera, and sets the unit to send them in high quality',
    Feeds,
    ['EP-USET-15', 'GAP-CONF-10', 'CO-UNIT-16'],
  ),
  setGroupChannel: put(
    'multiplecamera/channel',
    'The group channel whose members take the cameras',
    z.strictObject({ channel: Channel }),
    ['EP-USET-16'],
  ),
  setMode: put(
    'multiplecamera/mode',
    'How several cameras are sent',
    z.strictObject({ mode: MultiCameraMode }),
    ['EP-USET-17', 'EN-UCONF-11'],
  ),
  leave: put('singlecamera', 'The unit sends one camera alone again', none, ['EP-USET-18']),
  setSwitcher: put(
    'switchermode',
    'The channels of the switcher; with one for the proxy that is sent too',
    z.strictObject({
      highQualityChannel: Channel.nullable(),
      proxyChannel: Channel.nullable().default(null),
    }),
    ['EP-USET-20', 'GAP-CONF-10'],
  ),
  setHighQuality: put(
    'switchermode/highqualitychannel',
    'The channel of the picture that is switched',
    ChannelOnly,
    ['EP-USET-21'],
  ),
  setProxy: put('switchermode/proxychannel', 'The channel of the proxy', ChannelOnly, ['EP-USET-22']),
  setInput: put(
    'switchermode/sdiinput',
    'The camera that the switcher shows, also while it is sent',
    z.strictObject({ sdiPort: CameraNumber }),
    ['EP-USET-23'],
  ),
  start: start('multiplecamera', 'Starts to send several cameras, each to its channel', [
    'EP-STRM-01',
    'ER-UNIT-32',
    'ER-UNIT-33',
    'ER-UNIT-34',
  ]),
  stop: stop('multiplecamera', 'Stops to send several cameras', ['EP-STRM-02']),
  startSwitcher: start('switchermode', 'Starts to send what the switcher shows', ['EP-STRM-03']),
  stopSwitcher: stop('switchermode', 'Stops to send what the switcher shows', ['EP-STRM-04']),
}
