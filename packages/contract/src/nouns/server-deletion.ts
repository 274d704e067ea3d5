import { because, type Reason } from '../define/refusals.ts'
import type { Channel } from './channels.ts'

/** Why a server cannot be deleted because of the state of its channels (ER-DELSRV rows, GAP-SRV-02). */
export function deletionFault(
  channels: readonly Pick<
    Channel,
    'name' | 'allocatedToUnitUid' | 'sharing' | 'status' | 'streamingDestinations' | 'recording'
  >[],
): Reason | undefined {
  const first = (is: (channel: (typeof channels)[number]) => boolean) => channels.find(is)?.name
  const busy = first(({ allocatedToUnitUid }) => allocatedToUnitUid !== null)
  if (busy !== undefined) return because('server.channelBusy', { channel: busy })
  const sharing = first((channel) => channel.sharing)
  if (sharing !== undefined) return because('server.channelSharing', { channel: sharing })
  const streaming = first((one) => one.status === 'collecting' && one.streamingDestinations.length > 0)
  if (streaming !== undefined) return because('server.channelStreaming', { channel: streaming })
  if (channels.some(({ recording }) => recording)) return 'server.recording'
}
