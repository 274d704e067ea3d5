/** The topic unit.{uid}: each field of the unit belongs to one message kind (appendix A). */
import { z } from 'zod'
import { topic } from '../define/topic.ts'
import { Unit } from '../nouns/units.ts'

const location = Unit.pick({ location: true })
const storage = Unit.pick({ storages: true, uploadedFiles: true, fileTransfer: true })
const usageInfo = Unit.pick({ usage: true, usageInfo: true, usageProfileId: true })
const socialMediaStatus = Unit.pick({ socialMediaStatus: true, cdnStreams: true })
const videoReturn = Unit.pick({
  videoReturn: true,
  videoReturnInTransition: true,
  selectedVideoReturn: true,
})
const cellularNetworks = Unit.pick({ cellularNetworks: true, cellularNetworksUpdated: true })
const speedTest = Unit.pick({ speedTest: true, speedTestCompleted: true, speedTestInTransition: true })
const upgradeProgress = Unit.pick({ upgrade: true })
const command = Unit.pick({ command: true })
const unitConfig = Unit.pick({
  name: true,
  uname: true,
  comment: true,
  type: true,
  serialNumber: true,
  shortSwVersion: true,
  swVersion: true,
  displayVersion: true,
  inventoryId: true,
  license: true,
  services: true,
  capabilities: true,
  metadata: true,
  story: true,
  promptMetadata: true,
  multiCameraLabels: true,
  workingMode: true,
  videoPerformance: true,
  delay: true,
  ntp: true,
  transmissionMode: true,
  multiCameraSelectedMode: true,
  filenamePrefix: true,
  storeAndForwardVideoQuality: true,
  intercoms: true,
  multipleCamera: true,
  switcherMode: true,
  switcherAndProxy: true,
  settingsConfiguration: true,
  destinationChannelUid: true,
  hasExtender: true,
  wifi: true,
  configurationUpdated: true,
})

const named = [
  location,
  storage,
  usageInfo,
  socialMediaStatus,
  videoReturn,
  cellularNetworks,
  speedTest,
  upgradeProgress,
  command,
  unitConfig,
]
/** The raw report of the links is only in answers about a single unit: the push carries the links as modems. */
const elsewhere = new Set(['rev', 'rawModemInfo', ...named.flatMap((schema) => Object.keys(schema.shape))])
const unitStatus = z.object(
  Object.fromEntries(
    Object.entries(Unit.shape).filter(([field]) => !elsewhere.has(field)),
  ) as typeof Unit.shape,
)

export const unitTopic = topic({
  noun: 'unit',
  summary: 'All live data of one unit',
  permission: 'watchTransmissions',
  kinds: {
    unitStatus: unitStatus.partial(),
    unitConfig: unitConfig.partial(),
    location: location.partial(),
    storage: storage.partial(),
    usageInfo: usageInfo.partial(),
    socialMediaStatus: socialMediaStatus.partial(),
    videoReturn: videoReturn.partial(),
    cellularNetworks: cellularNetworks.partial(),
    speedTest: speedTest.partial(),
    upgradeProgress: upgradeProgress.partial(),
    command: command.partial(),
  },
})
