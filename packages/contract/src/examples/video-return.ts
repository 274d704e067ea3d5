/** An example video return channel, parsed by its schema in tests. */
import {
  type AdministeredVrChannel,
  defaultVrSettings,
  type VideoReturnChannel,
} from '../nouns/video-return.ts'

export const exampleVrChannel: VideoReturnChannel = {
  uniqueId: 'ch-vr-1',
  name: 'Return-London-1',
  description: 'Programme as on air',
  status: 'videoReturnInputConnected',
  uptime: 86_400,
  serialNumber: 'VR-1A2B3C4D-1',
  inputStandard: '1080p50',
  inputParameters: { input: 'sdi-1', codec: 'H.264', bitrateKbps: 4000, audioChannels: 2 },
  p2MPStreamingStatuses: {},
  urlData: ['rist://192.0.2.30:24000'],
  icon: 'OUTPUT_CHANNEL-amber',
  feedSelectionMode: 'automaticByServer',
  inputs: [{ id: 'sdi-1', connected: true, standard: '1080p50' }],
  input: 'sdi-1',
  serverId: 'sv-vr-lon',
  serverName: 'VR-London',
  inventoryId: 'inv-north',
  unitUid: null,
  unitName: null,
}

export const exampleAdministeredVrChannel: AdministeredVrChannel = {
  ...exampleVrChannel,
  settings: { ...defaultVrSettings, description: 'Programme as on air' },
  inventoryName: 'North Broadcasting',
}
