/** The topic channel.{uid}. */
import { z } from 'zod'
import { topic } from '../define/topic.ts'
import { Channel } from '../nouns/channels.ts'

const channelAllocation = Channel.pick({
  allocatedTo: true,
  allocatedToByApp: true,
  allocatedToUnitAlias: true,
  allocatedToUnitUid: true,
})
const channelStatus = Channel.pick({
  status: true,
  tally: true,
  recording: true,
  playing: true,
  reception: true,
  health: true,
  outputs: true,
  levels: true,
  inputAddress: true,
  inputProblem: true,
  inputFailure: true,
})
/** The point-to-multipoint machines that get the picture of the channel. */
const multipoint = Channel.pick({ multipointDistributor: true, multipointMachines: true })

/** NDI never changes: no server puts it out. */
const elsewhere = new Set([
  'rev',
  'NDI',
  ...Object.keys(channelAllocation.shape),
  ...Object.keys(channelStatus.shape),
  ...Object.keys(multipoint.shape),
])
const channelConfig = z.object(
  Object.fromEntries(
    Object.entries(Channel.shape).filter(([field]) => !elsewhere.has(field)),
  ) as typeof Channel.shape,
)

export const channelTopic = topic({
  noun: 'channel',
  summary: 'All live data of one channel',
  permission: 'watchTransmissions',
  kinds: {
    channelStatus: channelStatus.partial(),
    channelAllocation: channelAllocation.partial(),
    multipoint: multipoint.partial(),
    channelConfig: channelConfig.partial(),
  },
})
