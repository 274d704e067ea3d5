import type { UnitSettings } from '@backhaul/contract/nouns/unit-settings'

const uncapped = { option: 'disabled', customMbps: null } as const

/** A unit that supports every setting but those of an intercom, which it lacks. */
export const outOfTheBox: Required<Omit<UnitSettings, 'intercoms' | 'audioJacks'>> = {
  workingMode: 'video',
  videoComplexity: 'standard',
  colorDepth: '8-bit',
  adaptiveResolution: true,
  shootingMode: 'static',
  audioChannels: 2,
  audioBitrate: 96,
  storeAndForwardQuality: { 'H.264/AVC': 'standard', 'H.265/HEVC': 'standard' },
  storeAndForwardEncoder: 'H.265/HEVC',
  filenamePrefix: '',
  ntp: false,
  ancillaryData: false,
  linkMode: 'cellularBonding',
  sendMode: 'live',
  liveuIq: false,
  xtend: true,
  metadata: {},
  defaultMetadata: {},
  totalLimitKbps: 0,
  cellularLimitKbps: 0,
  cameraLimitKbps: 0,
  leastCostBonding: 'disabled',
  links: Object.fromEntries([1, 2, 3].map((port) => [port, { priority: 1, limitKbps: 0 }])),
  ipInput: { protocol: 'srt', url: '', port: 9000, enabled: false },
  totalCapping: uncapped,
  cellularCapping: uncapped,
  ethernet: {
    0: {
      mac: '02:00:5e:00:53:00',
      dhcp: true,
      ip: '10.1.2.3',
      subnetMask: '255.255.255.0',
      defaultGateway: '10.1.2.1',
      dns1: '10.1.2.1',
      dns2: '',
      powerOverEthernet: false,
    },
  },
  multiCameraLabels: [],
  cameraPriorities: [],
  cameraMode: 'single',
  cameraInput: 1,
}
