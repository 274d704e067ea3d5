// How the calls of channel settings name their channel, and examples of what they change.
import { type RequestTarget, target } from './tenancy-target.ts'

const inBody = (body: object): RequestTarget => ({ noun: 'channel', in: 'body', name: 'uid', rest: { body } })
const ffmpeg = { ffmpegSettings: { g: '25' }, ffmpegOverride: false }

export const channelSettingsTargets: Readonly<Record<string, RequestTarget>> = {
  'channelSettings.limit': inBody({ limit: 4000 }),
  'channelSettings.privateSession': inBody({ privateSession: true }),
  'channelSettings.ffmpeg': target('channel'),
  'channelSettings.administeredFfmpeg': target('channel'),
  'channelSettings.setFfmpeg': target('channel', 'id', { body: ffmpeg }),
  'channelSettings.setAdministeredFfmpeg': target('channel', 'id', { body: ffmpeg }),
}

export const channelSettingsChanges = (newChannel: () => Promise<string>) => ({
  'channelSettings.limit': async () => ({ body: { uid: await newChannel(), limit: 4000 } }),
  'channelSettings.privateSession': async () => ({
    body: { uid: await newChannel(), privateSession: true },
  }),
  'channelSettings.setFfmpeg': async () => ({ params: { id: await newChannel() }, body: ffmpeg }),
  'channelSettings.setAdministeredFfmpeg': async () => ({ params: { id: await newChannel() }, body: ffmpeg }),
})
