// Settings of a channel in addition to its record: its limit, its private session, and the options of ffmpeg.
import { channelSettings as calls } from '@backhaul/contract/api/channel-settings'
import type { AdministeredChannel, ChannelChange } from '@backhaul/contract/nouns/channel-administration'
import type { ChannelFfmpeg } from '@backhaul/contract/nouns/ffmpeg-settings'
import { call, type Fault } from '../../doors/api.ts'
import { administeredChannels, saveChannel } from './channel-administration.ts'

export interface GeneralSettings {
  name: string
  bandwidthLimit: number | string
  privateSession: boolean
  forceOutput: boolean
  studio: boolean
}

/** Only what differs is sent, and what is most likely to be refused first. */
export const saveGeneral = (
  channel: AdministeredChannel,
  next: GeneralSettings,
): Promise<Fault | undefined> =>
  administeredChannels.change(async () => {
    const { uniqueId: uid } = channel
    const change: ChannelChange = {
      ...(next.name !== channel.name && { name: next.name }),
      ...(next.forceOutput !== channel.forceOutput && { forceOutput: next.forceOutput }),
      ...(next.studio !== channel.studio && { studio: next.studio }),
    }
    if (Object.keys(change).length > 0) await saveChannel(uid, change)
    const limit = Number(next.bandwidthLimit || 0)
    if (limit !== channel.bandwidthLimit) await call(calls.limit, { body: { uid, limit } })
    const { privateSession } = next
    if (privateSession !== channel.privateSession)
      await call(calls.privateSession, { body: { uid, privateSession } })
  })

export const saveFfmpeg = (id: string, body: ChannelFfmpeg): Promise<Fault | undefined> =>
  administeredChannels.change(() => call(calls.setAdministeredFfmpeg, { params: { id }, body }))
