// The number of channels of a server that may put out, by its licence (VA-STREAM-32).

import { Conflict } from '@backhaul/contract/define/errors'
import { outputLicenceRefusal } from '@backhaul/contract/nouns/servers'
import type { DatabaseTransaction } from '../../database/schema.ts'
import type { Devices } from '../devices/devices.ts'
import { type ChannelFacts, type ChannelSettings, channelsOfServer } from './channel-table.ts'

/** A channel that may put out and does not yet is not counted. */
const putsOut = ({ outputs, forceOutput, smpte, sdi }: ChannelSettings): boolean =>
  outputs.length > 0 || forceOutput === true || Boolean(smpte) || sdi === true

/**
 * Throws Conflict when the change makes one more channel of the server put out than its licence allows. The server must
 * be locked, so that of two channels neither misses the other.
 */
export async function requireOutputLicence(
  devices: Devices,
  transaction: DatabaseTransaction,
  before: ChannelFacts,
  after: ChannelFacts,
): Promise<void> {
  if (putsOut(before.settings) || !putsOut(after.settings)) return
  const { id, serverId } = after
  const others = (await channelsOfServer(transaction, serverId)).filter((one) => one.id !== id)
  const used = others.filter(({ settings }) => putsOut(settings)).length
  const refusal = outputLicenceRefusal(used, devices.get(serverId)?.details.outputChannels ?? null)
  if (refusal !== undefined) throw new Conflict(refusal)
}
