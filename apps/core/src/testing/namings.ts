// How each call of the contract names the thing that it is about: what the tests of tenancy put there.
import { defaultAlertsConfiguration } from '@backhaul/contract/nouns/alert-configuration'

export type Noun =
  | 'unit'
  | 'channel'
  | 'vrChannel'
  | 'server'
  | 'group'
  | 'inventory'
  | 'user'
  | 'profile'
  | 'apiKey'
  | 'approval'
  | 'publisher'
  | 'subscriber'
  | 'folder'
  | 'file'

export interface Naming {
  noun: Noun
  in: 'params' | 'query' | 'body'
  name: string
  /** What else a well-formed request has. */
  rest?: { params?: object; query?: object; body?: unknown }
  /** The parameter that names a unit of the group. */
  unit?: string
  /** The parameter that names the customer of the unit. */
  inventory?: string
}

const of = (noun: Noun, name = 'id', rest: Naming['rest'] = {}): Naming => ({
  noun,
  in: 'params',
  name,
  rest,
})
/** A unit of a customer who is named before it. */
const unitOfInventory = (rest: Naming['rest'] = {}): Naming => ({
  ...of('unit', 'unit', rest),
  inventory: 'id',
})
const byQuery = (noun: Noun, name: string): Naming => ({ noun, in: 'query', name })
const byBody = (name: string, body: object): Naming => ({ noun: 'unit', in: 'body', name, rest: { body } })
const ofFile = (body: object = {}): Naming => ({ noun: 'file', in: 'body', name: 'fileId', rest: { body } })

const quality = { 'H.264/AVC': 'high', 'H.265/HEVC': 'low' }

/** For a call that names nothing: what it answers is then looked through. */
export const unnamed = byQuery('group', 'unnamed')

const destination = { name: 'Mine', streamType: 'SRT', ip: '192.0.2.1', port: 9000 }

/** How each call names its thing. */
export const namings: Readonly<Record<string, Naming>> = {
  'client.groupFeatures': byQuery('group', 'uid'),
  'groups.pairingCode': of('group'),
  'invitations.adhoc': of('group', 'currentGroup'),
  'invitations.setAdhoc': of('group', 'currentGroup', { body: { mode: 'link' } }),
  'invitations.permanent': of('group', 'currentGroup'),
  'invitations.setPermanent': of('group', 'currentGroup', { body: { regenerate: 'never' } }),
  'invitations.create': of('group', 'currentGroup', { body: { period: '1 day' } }),
  'invitations.email': of('group', 'currentGroup', {
    body: { recipients: ['a@b.example'], period: '1 day' },
  }),
  'invitations.sms': of('group', 'currentGroup', {
    body: { recipients: ['+447700900001'], period: '1 day' },
  }),
  'groupAdministration.ofInventory': of('inventory'),
  'groupAdministration.one': of('group'),
  'groupAdministration.oneNewForm': of('group'),
  'groupAdministration.change': of('group', 'id', { body: { name: 'Mine-now' } }),
  'groupAdministration.changeNewForm': of('group', 'id', { body: { name: 'Mine-now' } }),
  'groupAdministration.remove': of('group'),
  'groupAdministration.removeNewForm': of('group'),
  'groupAdministration.units': of('group'),
  'groupAdministration.channels': of('group'),
  'groupAdministration.vrChannels': of('group'),
  'groupAdministration.users': of('group'),
  'groupAdministration.choices': of('inventory', 'id', { query: { kind: 'unit' } }),
  'groupAdministration.addUnit': of('group', 'groupId', { params: { id: 'some' } }),
  'groupAdministration.removeUnit': of('group', 'groupId', { params: { id: 'some' } }),
  'groupAdministration.expiration': { ...of('group', 'currentGroup'), unit: 'unitId' },
  'groupAdministration.setExpiration': {
    ...of('group', 'currentGroup', { body: { duration: '1 day' } }),
    unit: 'unitId',
  },
  'groupAdministration.addChannel': of('group', 'groupId', { params: { channelId: 'some' } }),
  'groupAdministration.removeChannel': of('group', 'groupId', { params: { channelId: 'some' } }),
  'groupAdministration.addVrChannel': of('group', 'groupId', { params: { id: 'some' } }),
  'groupAdministration.removeVrChannel': of('group', 'groupId', { params: { id: 'some' } }),
  'groupAdministration.defaultConfiguration': of('group'),
  'groupAdministration.makeDefaultConfiguration': of('group', 'id', { body: {} }),
  'groupAdministration.changeDefaultConfiguration': of('group', 'id', { body: {} }),
  'videoReturn.ofGroup': of('group', 'groupId'),
  'videoReturn.capabilities': of('vrChannel'),
  'videoReturn.inputSources': of('vrChannel'),
  'videoReturn.addresses': of('vrChannel'),
  'videoReturn.chooseInput': of('vrChannel', 'id', { body: { feedSelectionMode: 'automaticByServer' } }),
  'videoReturn.select': of('unit', 'id', { body: { channel: null } }),
  'videoReturn.selectByUnit': of('unit', 'id', { body: { channel: null } }),
  'videoReturn.start': of('unit'),
  'videoReturn.stop': of('unit'),
  'groupLegacy.update': { noun: 'group', in: 'body', name: 'groupUid', rest: { body: { name: 'Mine-now' } } },
  'groupLegacy.updateDetails': { noun: 'group', in: 'body', name: 'groupUid', rest: { body: {} } },
  'groupLegacy.add': {
    noun: 'inventory',
    in: 'body',
    name: 'inventoryUid',
    rest: { body: { name: 'Mine' } },
  },
  'groupLegacy.addDetails': {
    noun: 'inventory',
    in: 'body',
    name: 'inventoryUid',
    rest: { body: { name: 'Mine' } },
  },
  'groupLegacy.fetchDetails': byQuery('group', 'groupUid'),
  'units.ofGroup': byQuery('group', 'group'),
  'units.byId': of('unit'),
  'units.one': of('unit'),
  'units.enhanced': of('unit'),
  'databridge.selected': of('unit'),
  'databridge.options': of('unit'),
  'databridge.select': of('unit', 'id', { body: { gateway: null } }),
  'accessApprovals.list': byQuery('unit', 'device'),
  'accessApprovals.grant': byBody('device', {}),
  'remoteActions.act': byBody('device', { action: 'reboot' }),
  'accessApprovals.revoke': of('approval'),
  'units.status': of('unit'),
  'units.modems': of('unit'),
  'units.graph': of('unit'),
  'units.events': of('unit'),
  'units.location': of('unit'),
  'units.coordinates': byQuery('group', 'group'),
  'units.capabilities': of('unit'),
  'units.configuration': of('unit'),
  'units.services': of('unit'),
  'units.groups': of('unit'),
  'units.rename': byBody('uid', { name: 'Mine-now' }),
  'units.update': of('unit', 'id', { body: { comment: 'mine now' } }),
  'unitCommands.command': of('unit', 'id', { params: { command: 'stop_streaming' } }),
  'unitCommands.retriedCommand': of('unit', 'id', {
    params: { cmd: 'set_virtual_channel', n: 7 },
    body: { virtualChannelName: null },
  }),
  'unitCommands.setDelay': of('unit', 'id', { body: { delay: 2000 } }),
  'unitCommands.setLinks': of('unit', 'id', { body: [{ interface: 1, enabled: true }] }),
  'unitCommands.start': of('unit', 'id', { body: {} }),
  'unitCommands.stop': of('unit'),
  'unitSettings.configure': of('unit', 'id', { body: { ntp: true } }),
  'unitSettings.setMetadata': of('unit', 'id', { body: { metadata: { title: 'x' } } }),
  'unitSettings.setMetadataByCommand': of('unit', 'id', { body: { metadata: { title: 'x' } } }),
  'unitSettings.setDefaultMetadata': of('unit', 'id', { body: { metadata: { title: 'x' } } }),
  'unitSettings.setFilenamePrefix': of('unit', 'id', { body: { filenamePrefix: 'X_' } }),
  'unitSettings.setNtpTimecode': of('unit', 'id', { body: { enabled: true } }),
  'unitSettings.setLiveuIq': of('unit', 'id', { body: { enabled: true } }),
  'unitSettings.setAncillaryData': of('unit', 'id', { body: { enabled: true } }),
  'unitSettings.setSafQuality': of('unit', 'id', { body: { storeandforward_quality: quality } }),
  'unitSettings.setSafQualityByCommand': of('unit', 'id', { body: { quality } }),
  'unitSettings.setSafEncoder': of('unit', 'id', { body: { encoder: 'H.264/AVC' } }),
  'unitSettings.setCapping': of('unit', 'id', { body: { option: 4.2 } }),
  'unitSettings.cellularLimit': of('unit'),
  'unitSettings.setCellularLimit': of('unit', 'id', { body: { limit: 4000 } }),
  'unitSettings.totalLimit': of('unit'),
  'unitSettings.setTotalLimit': of('unit', 'id', { body: { limit: 8000 } }),
  'unitSettings.cellularLimitAsAdmin': of('unit'),
  'unitSettings.setCellularLimitAsAdmin': of('unit', 'id', { body: { limit: 4000 } }),
  'unitSettings.totalLimitAsAdmin': of('unit'),
  'unitSettings.setTotalLimitAsAdmin': of('unit', 'id', { body: { limit: 8000 } }),
  'unitSettings.setAudioBitrate': of('unit', 'id', { body: { audioBitrate: 128 } }),
  'unitSettings.setAudioParameters': of('unit', 'id', { body: { audioChannels: 2 } }),
  'unitSettings.setAudioParametersOld': of('unit', 'id', { body: { audioChannels: 2 } }),
  'unitSettings.setShootingMode': of('unit', 'id', { body: { shootingMode: 'motion' } }),
  'unitSettings.setVideoComplexity': of('unit', 'id', { body: { videoComplexity: 'complex' } }),
  'unitSettings.filenamePrefix': of('unit', 'id', { body: {} }),
  'channels.ofGroup': byQuery('group', 'group'),
  'channels.details': of('group', 'group'),
  'channels.status': of('channel'),
  'channels.capabilities': of('channel'),
  'channels.addresses': of('channel'),
  'channels.multiChannels': of('group'),
  'channels.record': of('channel', 'id', { body: { recording: true } }),
  'channelAdministration.one': of('channel'),
  'channelAdministration.change': of('channel', 'id', { body: { name: 'Mine-now' } }),
  'channelAdministration.remove': of('channel'),
  'channelAdministration.inventories': of('channel'),
  'channelAdministration.groups': of('channel'),
  'channelAdministration.groupsOfInventories': of('channel'),
  'channelAdministration.associate': of('channel', 'id', { params: { inv: 'north' } }),
  'channelAdministration.disassociate': of('channel', 'id', { params: { inv: 'north' } }),
  'channelAdministration.create': {
    noun: 'server',
    in: 'body',
    name: 'serverId',
    rest: { body: { name: 'Mine' } },
  },
  'channelAdministration.info': of('group', 'group', { params: { id: 'some' } }),
  'channelAdministration.details': { noun: 'channel', in: 'body', name: 'uid', rest: { body: {} } },
  'destinations.ofChannel': { noun: 'channel', in: 'body', name: 'uid', rest: { body: {} } },
  'destinations.add': { noun: 'channel', in: 'body', name: 'uid', rest: { body: { destination } } },
  'destinations.update': {
    noun: 'channel',
    in: 'body',
    name: 'uid',
    rest: { body: { id: 'some', destination } },
  },
  'destinations.remove': { noun: 'channel', in: 'body', name: 'uid', rest: { body: { id: 'some' } } },
  'channels.recorded': of('inventory'),
  'channelFiles.list': byQuery('group', 'groupId'),
  'channelFiles.remove': ofFile(),
  'channelFiles.rename': ofFile({ newFileName: 'Mine-now.mp4' }),
  'channelFiles.play': ofFile({ broadcastingMmhId: 'some', rootDirectory: 'recordings' }),
  'channelFiles.stop': ofFile({ broadcastingMmhId: 'some' }),
  'channelFiles.chunks': ofFile(),
  'channelFiles.metadata': {
    ...byQuery('channel', 'channelId'),
    rest: { query: { filePath: '-/Bulletin.mp4' } },
  },
  'channelFiles.downloads': of('channel'),
  'channels.multipoint': byQuery('unit', 'uniqueID'),
  'channels.updateMultipoint': byBody('uniqueID', { machines: [] }),
  'servers.one': of('server'),
  'servers.capabilities': of('server'),
  'servers.addresses': of('server'),
  'servers.status': of('server'),
  'servers.services': of('server'),
  'servers.smpte': of('server'),
  'recipients.sendVerification': of('group', 'id', { params: { email: 'a@b.example' } }),
  'servers.specifications': of('server'),
  'servers.comment': of('server'),
  'servers.mmhServer': of('server'),
  'deviceAdministration.serversOfInventory': of('inventory'),
  'deviceAdministration.servers': byQuery('group', 'group'),
  'deviceAdministration.createServer': {
    noun: 'inventory',
    in: 'body',
    name: 'inventory',
    rest: { body: { type: 'db_gateway', name: 'Mine', serialNumber: 'mine' } },
  },
  'deviceAdministration.changeServer': of('server', 'id', { body: { name: 'Mine-now' } }),
  'deviceAdministration.removeServer': of('server'),
  'deviceAdministration.restartServer': of('server'),
  'deviceAdministration.setComment': of('server', 'id', { body: { comment: 'mine now' } }),
  'deviceAdministration.configuration': of('server'),
  'deviceAdministration.configure': of('server', 'id', { body: {} }),
  'deviceAdministration.unitsOfInventory': of('inventory', 'inv'),
  'deviceAdministration.units': byQuery('group', 'group'),
  'deviceAdministration.unit': of('unit'),
  'deviceAdministration.createUnit': {
    noun: 'inventory',
    in: 'body',
    name: 'inventory',
    rest: { body: { productType: 'LU-600', name: 'Mine', serialNumber: 'mine' } },
  },
  'deviceAdministration.changeUnit': of('unit', 'id', { body: { name: 'Mine-now' } }),
  'deviceAdministration.removeUnit': of('unit'),
  'deviceAdministration.inventoriesOfUnit': of('unit'),
  'deviceAdministration.groupsOfUnit': of('unit'),
  'deviceAdministration.groupsForUnit': of('unit'),
  'deviceAdministration.associate': of('unit', 'unit', { params: { inv: 'north' } }),
  'deviceAdministration.disassociate': of('unit', 'unit', { params: { inv: 'north' } }),
  'alerts.active': byQuery('group', 'groupId'),
  'alerts.ofGroup': of('group'),
  'alerts.setOfGroup': of('group', 'id', { body: defaultAlertsConfiguration }),
  'alerts.ofUnit': of('unit'),
  'alerts.setOfUnit': of('unit', 'id', { body: defaultAlertsConfiguration }),
  'alerts.possible': of('unit', 'id', { query: { mode: 'manual' } }),
  'inventories.update': of('inventory', 'id', { body: { region: 'mine now' } }),
  'inventories.remove': of('inventory'),
  'inventories.properties': of('inventory'),
  'inventories.serviceable': of('inventory'),
  'inventories.units': of('inventory'),
  'inventories.channels': of('inventory'),
  'inventories.setProperty': of('inventory', 'id', { params: { name: 'lux' }, body: { value: true } }),
  'reports.usage': of('inventory', 'id', {
    query: { from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' },
  }),
  'stories.list': of('inventory'),
  'stories.count': of('inventory'),
  'stories.create': of('inventory', 'id', { body: { slugline: 'MINE' } }),
  'stories.change': of('inventory', 'id', { params: { storyId: 'some' }, body: { slugline: 'MINE' } }),
  'stories.remove': of('inventory', 'id', { params: { storyId: 'some' } }),
  'stories.ofUnit': unitOfInventory(),
  'stories.assign': unitOfInventory({ params: { storyId: 'some' } }),
  'stories.unassign': unitOfInventory({ params: { storyId: 'some' } }),
  'usageProfiles.one': of('profile'),
  'usageProfiles.create': {
    noun: 'inventory',
    in: 'body',
    name: 'inventory',
    rest: { body: { name: 'Mine', type: 'data', monthlyLimit: 1, resetDay: 1 } },
  },
  'usageProfiles.change': of('profile', 'id', { body: { name: 'Mine-now' } }),
  'usageProfiles.remove': of('profile'),
  'services.ofInventory': of('inventory'),
  'services.ofInventoryForVendor': of('inventory'),
  'services.status': of('inventory', 'current'),
  'services.startTrial': of('inventory', 'current', { body: { serviceName: 'ingest' } }),
  'services.add': of('inventory', 'id', { body: { name: 'ingest' } }),
  'services.addNamed': of('inventory', 'id', { params: { service: 'ingest' }, body: {} }),
  'services.change': of('inventory', 'id', { body: { name: 'ingest' } }),
  'services.changeNamed': of('inventory', 'id', { params: { service: 'ingest' }, body: {} }),
  'services.remove': of('inventory', 'id', { query: { serviceName: 'ingest' } }),
  'services.removeNamed': of('inventory', 'id', { params: { service: 'ingest' } }),
  'licences.ofInventory': of('inventory'),
  'licences.assign': of('unit', 'unit', { params: { id: 'north' }, body: {} }),
  'licences.stock': of('inventory'),
  'licences.setStock': of('inventory', 'id', { body: { licence: 'video', total: 1 } }),
  'shares.publisher': of('publisher'),
  'shares.createPublisher': {
    noun: 'group',
    in: 'body',
    name: 'group',
    rest: { body: { name: 'Mine' } },
  },
  'shares.changePublisher': of('publisher', 'id', { body: { name: 'Mine now' } }),
  'shares.removePublisher': of('publisher'),
  'shares.startSession': of('publisher', 'id', { body: { channel: 'some' } }),
  'shares.endSession': of('publisher', 'id', { query: { channel: 'some' } }),
  'shares.subscriber': of('subscriber'),
  'shares.createSubscriber': {
    noun: 'folder',
    in: 'body',
    name: 'folder',
    rest: { body: { name: 'Mine', shareKey: 'some' } },
  },
  'shares.changeSubscriber': of('subscriber', 'id', { body: { name: 'Mine now' } }),
  'shares.removeSubscriber': of('subscriber'),
  'shares.folder': of('folder'),
  'shares.createFolder': { noun: 'group', in: 'body', name: 'group', rest: { body: { name: 'Mine' } } },
  'shares.changeFolder': of('folder', 'id', { body: { name: 'Mine now' } }),
  'shares.removeFolder': of('folder'),
  'apiKeys.create': {
    noun: 'inventory',
    in: 'body',
    name: 'inventory',
    rest: { body: { name: 'Mine', role: 'luc_vr_viewer' } },
  },
  'apiKeys.remove': of('apiKey'),
  'users.list': byQuery('inventory', 'inventory'),
  'users.one': of('user'),
  'users.change': of('user', 'id', { body: { label: 'mine now' } }),
  'users.remove': of('user'),
  'secondFactors.reset': of('user'),
  'users.setPassword': of('user', 'id', {
    body: { password: 'Mine-now-1', passwordConfirmation: 'Mine-now-1' },
  }),
}

/** Calls that name neither of these; whom they are closed to is proved beside their features. */
export const nameOther: readonly string[] = [
  'servers.ofInventory',
  'signIns.end',
  'secondFactors.remove',
  'outbox.retry',
  'outbox.discard',
  'notifications.change',
  'notifications.remove',
  // By a secret that its holder was sent.
  'recipients.verify',
  'whatsNew.change',
  'whatsNew.remove',
]
