/** An example channel, parsed by its schema in tests. */
import type { AdministeredChannel } from '../nouns/channel-administration.ts'
import { type Channel, noChannelDetails } from '../nouns/channels.ts'

export const exampleChannel: Channel = {
  ...noChannelDetails,
  uniqueId: 'ch-lon-1',
  channelId: 'ch-lon-1',
  name: 'London-1',
  type: 'PREVIEW_CHANNEL',
  kind: 'PREVIEW_CHANNEL',
  inputType: null,
  status: 'collecting',
  mode: 'preview',
  port: 20000,
  serverId: 'sv-lon',
  serverName: 'MCR-London',
  serverProductType: 'MMH Server',
  inventoryId: 'inv-north',
  liveuVersion: '10.1.0',
  recording: false,
  playing: [],
  tally: { onAir: false, supportedByUnit: true },
  tallyName: null,
  ifb: null,
  NDI: false,
  forceOutput: false,
  forwardRtmp: false,
  webrtc: true,
  sdiNo: null,
  smpte: false,
  is4K: false,
  sharing: false,
  distributor: false,
  studio: false,
  hasCdn: false,
  allocatedTo: 'LU600-LON-03',
  allocatedToByApp: 'console',
  allocatedToUnitAlias: 'LU600-LON-03',
  allocatedToUnitUid: 'u-lon-03',
  reception: {
    kbps: 4120,
    continuityErrors: 0,
    recovered: 214,
    uncorrected: 0,
    bufferMs: 1000,
    video: { codec: 'h264', width: 1280, height: 720, fps: 30 },
    since: 1_795_000_000_000,
    source: 'bonded',
  },
  health: { black: false, frozen: false, silent: false },
  outputs: [
    { id: 'de-1', state: 'failed', reason: 'Connection refused.', since: 1_795_000_040_000, tries: 4 },
  ],
  levels: [
    { peakDb: -9.5, rmsDb: -18.2 },
    { peakDb: -9.7, rmsDb: -18.4 },
  ],
  inputAddress: null,
  inputProblem: null,
  rev: 'e1:42',
}

const { rev: _rev, levels: _levels, health: _health, reception: _reception, ...lasting } = exampleChannel
export const exampleAdministeredChannel: AdministeredChannel = {
  ...lasting,
  inventoryName: 'North Broadcasting',
  isBusy: true,
}
