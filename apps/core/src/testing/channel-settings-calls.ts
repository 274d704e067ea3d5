// The parameters by which the calls of channel settings name their channel, and example changes.
import { api } from '@backhaul/contract/api/api'
import type { Browser } from '../testing.ts'
import type { TestFleet } from './fleet.ts'
import { fetchingInputOf } from './input-channel.ts'
import { type RequestTarget, target } from './tenancy-target.ts'

const inBody = (body: object): RequestTarget => ({ noun: 'channel', in: 'body', name: 'uid', rest: { body } })
const ffmpeg = { ffmpegSettings: { g: '25' }, ffmpegOverride: false }

const source = { name: 'Far', url: 'srt://192.0.2.9:9000' }

export const channelSettingsTargets: Readonly<Record<string, RequestTarget>> = {
  'channelSettings.limit': inBody({ limit: 4000 }),
  'channelSettings.privateSession': inBody({ privateSession: true }),
  'channelSettings.addSource': target('inputChannel', 'id', { body: source }),
  'channelSettings.removeSource': target('inputChannel', 'id', { query: { source: 'some' } }),
  'channelSettings.ffmpeg': target('channel'),
  'channelSettings.administeredFfmpeg': target('channel'),
  'channelSettings.setFfmpeg': target('channel', 'id', { body: ffmpeg }),
  'channelSettings.setAdministeredFfmpeg': target('channel', 'id', { body: ffmpeg }),
}

export const channelSettingsChanges = (
  newChannel: () => Promise<string>,
  of: () => { root: Browser; fleet: TestFleet },
) => ({
  'channelSettings.addSource': async () => ({
    params: { id: (await fetchingInputOf(of().fleet, ['srt'], 'Fetching-1'))[1] },
    body: source,
  }),
  'channelSettings.removeSource': async () => {
    const [, id] = await fetchingInputOf(of().fleet, ['srt'], 'Fetching-2')
    const params = { id }
    const channel = await of().root.call(api.channelSettings.addSource, { params, body: source })
    return { params, query: { source: channel.inputSources[0]?.id ?? '' } }
  },
  'channelSettings.limit': async () => ({ body: { uid: await newChannel(), limit: 4000 } }),
  'channelSettings.privateSession': async () => ({
    body: { uid: await newChannel(), privateSession: true },
  }),
  'channelSettings.setFfmpeg': async () => ({ params: { id: await newChannel() }, body: ffmpeg }),
  'channelSettings.setAdministeredFfmpeg': async () => ({ params: { id: await newChannel() }, body: ffmpeg }),
})
