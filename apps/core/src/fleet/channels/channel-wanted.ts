// The wanted state of a server's channels, made from their rows; the rest of its wanted state is not changed.
import type { Output, ServerWanted } from '@backhaul/contract/gateway/servers'
import type { DatabaseTransaction } from '../../database/schema.ts'
import type { Devices, WantedChange } from '../devices/devices.ts'
import { wantedOverlayOf } from './channel-overlays.ts'
import { isReturnServer, wantedReturnOf } from './channel-returns.ts'
import { type ChannelSettings, channelsOfServer } from './channel-table.ts'
import { takesNothing } from './feeds.ts'
import { outputsOf } from './social-streams.ts'

/** The rows are read after the server's own is locked, so that of two changes neither is lost. */
export const wantChannels = (
  devices: Devices,
  transaction: DatabaseTransaction,
  serverId: string,
): Promise<WantedChange> =>
  devices.changeWanted<ServerWanted>(transaction, serverId, async (now) => {
    const returns = isReturnServer(devices, serverId)
    const rows = await channelsOfServer(transaction, serverId)
    const channels = rows.map(({ id, name, inputType, transmissionId, settings }) => ({
      channelId: id,
      slot: settings.slot,
      name,
      ...(settings.made && { made: { inputType } }),
      intake: settings.intake,
      ...(settings.copies?.length && { copies: settings.copies }),
      recording: settings.recording,
      outputs: outputsOf({ transmissionId, settings }).map((output) => encodedAs(settings, output)),
      ...(settings.sources?.length &&
        !takesNothing(settings) && { sources: settings.sources.map(({ id, url }) => ({ id, url })) }),
      ...(settings.forceOutput && { forceOutput: true }),
      ...(settings.overlay && { overlay: wantedOverlayOf(settings.overlay) }),
      ...(settings.smpte && { smpte: settings.smpte }),
      ...(returns && { videoReturn: wantedReturnOf(settings) }),
    }))
    return { ...now, channels }
  })

/** A stream provider gets what it requires, regardless of the settings of the other outputs. */
function encodedAs({ details }: ChannelSettings, output: Output): Output {
  const { ffmpegOverride, ffmpegSettings = {} } = details ?? {}
  return ffmpegOverride && !output.broadcast ? { ...output, ffmpeg: ffmpegSettings } : output
}
