// Every write of the contract, done once for real: each leaves its line in the audit log.
import { allEndpoints, api } from '@backhaul/contract/api/api'
import type { AnyEndpoint } from '@backhaul/contract/define/endpoint'
import { defaultAlertsConfiguration } from '@backhaul/contract/nouns/alert-configuration'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everything } from './database/scope.ts'
import { engines } from './database/testing.ts'
import { cameraChanges } from './testing/camera-calls.ts'
import { cdnStreamChanges } from './testing/cdn-calls.ts'
import { channelSettingsChanges } from './testing/channel-settings-calls.ts'
import { communicationRequests } from './testing/communication-requests.ts'
import { type BridgedFleet, bridgedFleet, databridgeChanges } from './testing/databridge-calls.ts'
import { createTestFleet, type TestDevice, type TestFleet } from './testing/fleet.ts'
import { inputChannelOf } from './testing/input-channel.ts'
import { intercomChanges } from './testing/intercom-calls.ts'
import { ipPipeChanges, type PipedFleet, pipedFleet } from './testing/ip-pipe-calls.ts'
import { networkChanges, networkedUnit } from './testing/network-calls.ts'
import { pointToPointChanges } from './testing/p2p-calls.ts'
import { returnChanges } from './testing/return-calls.ts'
import { serverChanges } from './testing/server-changes.ts'
import { newStreamProfile, settingChanges } from './testing/setting-changes.ts'
import { filesOf } from './testing/stored-files.ts'
import { unitWithFiles } from './testing/unit-with-files.ts'
import { upgradeChanges } from './testing/upgrade-changes.ts'
import { until } from './testing/wait.ts'
import { type Browser, password } from './testing.ts'

interface Input {
  params?: object
  query?: object
  body?: unknown
}

/** Calls that are not recorded: settings of users for themselves, which others do not see, and reads. */
const unrecorded = [
  'client.savePreferences',
  'invitations.look',
  'channelFiles.chunks',
  'fileTargets.check',
  'channelAdministration.info',
  'channelAdministration.details',
  'destinations.ofChannel',
  'destinations.mediaAccess',
  'unitNetworks.link',
  'unitNetworks.scanResults',
  'unitNetworks.selectionMode',
]

const fresh = { password: 'Fresh-one-7', passwordConfirmation: 'Fresh-one-7' }

describe.each(engines)('every write on %s', (engine) => {
  let fleet: TestFleet
  let hub: TestDevice
  let returns: TestDevice
  let unit: TestDevice
  let bridged: BridgedFleet
  let networked: TestDevice
  let piped: PipedFleet
  let oldUnit: TestDevice
  let filed: TestDevice
  let root: Browser
  let nora: Browser
  let made = 0

  beforeAll(async () => {
    fleet = await createTestFleet(engine)
    hub = (await fleet.server('MCR', 2, { outputs: 2 })).obey()
    hub.send(filesOf(channelOfHub(), ['Bulletin.mp4']))
    returns = await fleet.server('Returns', 1, { product: 'Video Return Server' })
    const can = { protocolsIn: [], protocolsOut: ['srt', 'rtmp'], encoders: ['libx264'] }
    hub.report({
      capabilities: { ...can, ffmpegVersion: null, logs: true },
    })
    unit = await fleet.unit('U-1')
    bridged = await bridgedFleet(fleet)
    networked = await networkedUnit(fleet, 'U-NETWORKS')
    piped = await pipedFleet(fleet)
    oldUnit = await fleet.unit('U-OLD', { swVersion: '4.2.0' })
    filed = (await unitWithFiles(fleet, 'U-FILES')).unit.obey()
    unit.report({ capabilities: { videoReturn: true } })
    returns.telemetry([{ channelId: returns.channelIds[0] ?? '', status: 'videoReturnInputConnected' }])
    oldUnit.report({ capabilities: { logs: true } })
    await fleet.pass()
    root = await fleet.signedIn('root')
    nora = await fleet.signedIn('nora')
    await fleet.db.updateTable('users').set({ oda: 1 }).where('username', '=', 'nora').execute()
    await fleet.db.updateTable('users').set({ services: '["tally"]' }).execute()
    hub.report({
      interfaces: [
        { id: 'tally-1', kind: 'tally', name: 'Tally 1' },
        { id: 'ifb-1', kind: 'ifb', name: 'IFB 1' },
      ],
    })
    await fleet.pass()
  })
  afterAll(() => fleet.remove())

  async function newUser(): Promise<string> {
    const id = `us-made-${made++}`
    const name = { username: `made${made}`, firstName: 'Some', lastName: 'Body' }
    const member = { inventories: ['north'], groups: ['london'] }
    await fleet.core.users.ensure({ id, ...name, password, userType: 'regular', ...member })
    return id
  }

  async function newChannel(): Promise<string> {
    const body = { name: `Made-${made++}`, serverId: hub.id }
    return (await root.call(api.channelAdministration.create, { body })).uniqueId
  }

  async function newDestination() {
    const destination = { name: `Web ${made}`, streamType: 'SRT' as const, ip: '192.0.2.9', port: ++made }
    return { uid: hub.channelIds[0] ?? '', destination }
  }

  async function newGroup(): Promise<string> {
    const id = `made-${made++}`
    const names = { name: `Made-${made}`, registrationKey: `key-${id}` }
    await fleet.core.groups.ensure({ id, inventoryId: 'north', ...names })
    return id
  }

  async function newInventory(parent: string | null = null): Promise<string> {
    const id = `inv-${made++}`
    await fleet.core.inventories.ensure({ id, name: `Made ${made}`, parent })
    return id
  }

  const unitRecord = () => {
    const number = made++
    return {
      name: `Made-${number}`,
      productType: 'LU-600',
      serialNumber: `M-${number}`,
      inventory: 'north',
    }
  }

  async function newUnit(): Promise<string> {
    return (await root.call(api.deviceAdministration.createUnit, { body: unitRecord() })).uid
  }

  async function newSmartUnit(): Promise<string> {
    const body = { ...unitRecord(), productType: 'LU-Smart', groups: ['london'] }
    return (await root.call(api.deviceAdministration.createUnit, { body })).uid
  }

  async function newServer(): Promise<string> {
    const { productType: _, ...record } = unitRecord()
    const body = { ...record, type: 'db_gateway' as const }
    return (await root.call(api.deviceAdministration.createServer, { body })).uid
  }

  async function newMail(): Promise<string> {
    const body = { recipients: ['crew@north.example'], period: '1 day' as const }
    await root.call(api.invitations.email, { params: { currentGroup: 'london' }, body })
    const { items } = await root.call(api.outbox.list, { query: {} })
    return items[0]?.id ?? ''
  }

  async function newApiKey(): Promise<string> {
    const body = { name: 'Planner', inventory: 'north', role: 'luc_read' as const }
    return (await root.call(api.apiKeys.create, { body })).id
  }

  async function openApproval(): Promise<string> {
    return (await root.call(api.accessApprovals.list, { query: { device: unit.id } })).items[0]?.id ?? ''
  }

  async function otherSignIn(): Promise<string> {
    await fleet.signedIn('root')
    return (await root.call(api.signIns.own, {})).find(({ isThis }) => !isThis)?.id ?? ''
  }

  async function newUsageProfile(): Promise<string> {
    const rules = { type: 'data' as const, monthlyLimit: 1, resetDay: 1, isDefault: false, units: [] }
    const profile = { name: `Made ${made++}`, inventory: 'north', ...rules }
    return (await fleet.core.usageProfiles.create(everything, profile)).id
  }

  async function newApp(): Promise<Input> {
    const { enrolment, secret } = await root.call(api.secondFactors.offerTotp, { body: { password } })
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    const code = totp.generate({ timestamp: fleet.clock.nowMs() })
    return { body: { enrolment, name: 'Phone', code } }
  }

  async function ownFactor(): Promise<string> {
    return (await root.call(api.secondFactors.own, {})).factors[0]?.id ?? ''
  }

  async function newRecipient(): Promise<object> {
    const email = `desk${made++}@north.example`
    const change = { params: { id: 'london' }, body: { emailRecipients: [email] } }
    await root.call(api.groupAdministration.change, change)
    await fleet.db.updateTable('group_recipients').set({ link_sent_ms: 0 }).execute()
    return { id: 'london', email }
  }

  const newNote = async () =>
    (await root.call(api.whatsNew.create, { body: { date: '2026-11-21', title: 'News', text: 'News.' } })).id

  async function newMessage(): Promise<string> {
    const expiration = new Date(fleet.clock.nowMs() + 3_600_000).toISOString()
    const message = { body: 'News', expiration, global: true, inventory: null, intervals: [] }
    return (await fleet.core.notifications.create(message)).id
  }

  const quality = { 'H.264/AVC': 'high', 'H.265/HEVC': 'low' }
  const newStory = async () => {
    const about = { params: { id: 'north' }, body: { slugline: 'FIRE' } as never }
    return { id: 'north', storyId: (await root.call(api.stories.create, about)).storyId }
  }

  const channelOfHub = () => hub.channelIds[0] ?? ''
  async function newTarget(address = 'ftp://127.0.0.1/'): Promise<string> {
    const body = { name: `Target ${made++}`, kind: 'ftp' as const, address }
    return (await root.call(api.fileTargets.create, { params: { id: 'north' }, body })).id
  }
  const ofTarget = async (body?: object): Promise<Input> => ({
    params: { id: 'north', targetId: await newTarget() },
    body,
  })
  const fileOfHub = () => `${channelOfHub()}/-/Bulletin.mp4`
  const ofFile = (more: object = {}): Input => ({ body: { fileId: fileOfHub(), ...more } })
  const ownAiSettings = async () => (await root.call(api.aiSettings.list, { query: {} })).items[0]?.id ?? ''

  const ofUnit = (body?: unknown): Input => ({ params: { id: unit.id }, body })
  const ofGroup = async (body?: unknown): Promise<Input> => ({ params: { id: await newGroup() }, body })

  /** A request that succeeds, with what it needs. Signing out comes last. */
  const requests: Readonly<Record<string, () => Input | Promise<Input>>> = {
    'signIns.signIn': () => ({ body: { username: 'root', password } }),
    'signIns.end': async () => ({ params: { id: await otherSignIn() } }),
    'signIns.endOthers': () => ({}),
    'secondFactors.offerTotp': () => ({ body: { password } }),
    'secondFactors.confirmTotp': newApp,
    'secondFactors.offerPasskey': () => ({ body: { password } }),
    'secondFactors.renewRecoveryCodes': () => ({ body: { password } }),
    'secondFactors.remove': async () => ({ params: { id: await ownFactor() }, body: { password } }),
    'secondFactors.reset': async () => ({ params: { id: await newUser() } }),
    'client.saveContact': () => ({
      body: { email: 'root@north.example', phone: '441', firstName: 'Root', lastName: 'Tester' },
    }),
    'groups.pairingCode': () => ofGroup(),
    'groupAdministration.create': () => ({ body: { name: 'Paris-News', inventory: 'north' } }),
    'groupAdministration.change': () => ofGroup({ name: 'Rome-News' }),
    'groupAdministration.changeNewForm': () => ofGroup({ name: 'Oslo-News' }),
    'groupAdministration.remove': () => ofGroup(),
    'groupAdministration.removeNewForm': () => ofGroup(),
    'groupAdministration.makeDefaultConfiguration': () => ofGroup({ audioChannels: 2 }),
    'groupAdministration.changeDefaultConfiguration': () => ofGroup({ audioChannels: 2 }),
    'groupAdministration.addUnit': () => ({ params: { groupId: 'leeds', id: unit.id } }),
    'groupAdministration.removeUnit': () => ({ params: { groupId: 'leeds', id: unit.id } }),
    'groupAdministration.setExpiration': () => ({
      params: { currentGroup: 'london', unitId: unit.id },
      body: { duration: '1 day' },
    }),
    'groupAdministration.addChannel': () => ({ params: { groupId: 'leeds', channelId: hub.channelIds[0] } }),
    'groupAdministration.removeChannel': () => ({
      params: { groupId: 'leeds', channelId: hub.channelIds[0] },
    }),
    'groupAdministration.addVrChannel': () => ({
      params: { groupId: 'leeds', id: returns.channelIds[0] },
    }),
    'groupAdministration.removeVrChannel': () => ({
      params: { groupId: 'leeds', id: returns.channelIds[0] },
    }),
    'groupLegacy.update': async () => ({ body: { groupUid: await newGroup(), name: 'Bern-News' } }),
    'groupLegacy.updateDetails': async () => ({ body: { groupUid: await newGroup() } }),
    'groupLegacy.add': () => ({ body: { inventoryUid: 'north', name: 'Riga-News' } }),
    'groupLegacy.addDetails': () => ({ body: { inventoryUid: 'north', name: 'Graz-News' } }),
    'groupLegacy.removeMultiple': async () => ({ body: { groupUids: [await newGroup()] } }),
    'inventories.create': () => ({ body: { name: 'West Broadcasting' } }),
    'inventories.update': async () => ({ params: { id: await newInventory() }, body: { region: 'West' } }),
    'inventories.remove': async () => ({ params: { id: await newInventory() } }),
    'inventories.setProperty': async () => ({
      params: { id: await newInventory(), name: 'lux' },
      body: { value: true },
    }),
    'units.rename': () => ({ body: { uid: unit.id, name: 'U-9' } }),
    'units.update': () => ofUnit({ comment: 'van' }),
    'unitCommands.start': () => ofUnit({ channel: hub.channelIds[0] }),
    'socialMedia.go': async () => {
      await fleet.core.inventories.setProperty('north', 'socialMedia', true)
      const profile = await newStreamProfile(root)
      const keys = { streamKey: 'key', previewKey: 'key' }
      return ofUnit({ provider: profile.provider, profile: profile.id, title: 'News', ...keys })
    },
    'socialMedia.stop': () => ofUnit(),
    'unitCommands.stop': () => ofUnit(),
    'unitCommands.command': () => ({ params: { id: unit.id, command: 'reboot' }, body: {} }),
    'unitCommands.shutdown': async () => {
      const off = await fleet.unit('U-OFF')
      off.report({ capabilities: { shutdown: true } })
      await until(() => fleet.core.units.values(off.id)?.capabilities.shutdown === true)
      return { params: { id: off.id } }
    },
    'unitCommands.speedTest': async () => {
      const tested = await fleet.unit('U-TESTED')
      tested.report({ capabilities: { speedTest: true }, channelId: hub.channelIds[1] ?? null })
      await until(() => fleet.core.units.values(tested.id)?.channelId === hub.channelIds[1])
      return { params: { id: tested.id }, query: {} }
    },
    'unitCommands.retriedCommand': () => ({
      params: { id: unit.id, cmd: 'set_virtual_channel', n: 3 },
      body: { virtualChannelName: hub.channelIds[1] },
    }),
    'unitCommands.setDelay': () => ofUnit({ delay: 2000 }),
    'unitCommands.setFixedInternetDelay': () => ofUnit({ delay: 2000 }),
    'unitCommands.setLinks': () => ofUnit([{ interface: 1, enabled: true }]),
    'settingsConfigurations.add': () => ({
      body: { machineUid: unit.id, outputChannel: hub.channelIds[0], multiChannel: '' },
    }),
    'unitServices.add': () => ofUnit(['pro2']),
    'unitServices.remove': () => ofUnit(['pro2']),
    'unitServices.enable': () => ({ params: { id: unit.id, svc: 'pro4' } }),
    'unitServices.disable': () => ({ params: { id: unit.id, svc: 'pro4' } }),
    'unitPairing.setMode': () => ofUnit({ mode: 'permanent' }),
    'unitPairing.renew': () => ofUnit(),
    'unitPairing.remove': async () => ({ params: { id: await newUnit() } }),
    'unitFiles.upload': () => ({ params: { id: filed.id }, body: { paths: ['/media/One.mp4'] } }),
    'unitFiles.cancel': () => ({ params: { id: filed.id }, body: { files: ['/media/One.mp4'] } }),
    'unitFiles.remove': () => ({ params: { id: filed.id }, body: { paths: ['/media/Two.mp4'] } }),
    'supportCases.open': async () => {
      const email = 'root@north.example'
      await fleet.db.updateTable('users').set({ email }).where('username', '=', 'root').execute()
      return { body: { unit: unit.id, description: 'Froze' } }
    },
    'deviceLogs.sendOfUnit': () => ({ params: { id: oldUnit.id }, body: { description: 'Froze' } }),
    'deviceLogs.stopOfUnit': () => ({ params: { id: oldUnit.id } }),
    'deviceLogs.sendOfChannel': () => ({ params: { id: hub.channelIds[0] }, body: { description: 'Froze' } }),
    'deviceLogs.stopOfChannel': () => ({ params: { id: hub.channelIds[0] } }),
    'unitSettings.configure': () => ofUnit({ ntp: true }),
    'unitSettings.setMetadata': () => ofUnit({ metadata: { title: 'x' } }),
    'unitSettings.setMetadataByCommand': () => ofUnit({ metadata: { title: 'x' } }),
    'unitSettings.setDefaultMetadata': () => ofUnit({ metadata: { title: 'x' } }),
    'unitSettings.setFilenamePrefix': () => ofUnit({ filenamePrefix: 'X_' }),
    'unitSettings.setIpInput': () =>
      ofUnit({ protocol: 'srt', url: 'camera.example', port: 9000, enabled: true }),
    'unitSettings.setNtpTimecode': () => ofUnit({ enabled: true }),
    'unitSettings.setTransmissionMode': () => ofUnit({ transmissionMode: 'storeAndForward' }),
    'unitSettings.setOperationalMode': () => ofUnit({ workingMode: 'video' }),
    'unitSettings.setLiveuIq': () => ofUnit({ enabled: true }),
    'unitSettings.setAncillaryData': () => ofUnit({ enabled: true }),
    'unitSettings.setSafQuality': () => ofUnit({ storeandforward_quality: quality }),
    'unitSettings.setSafQualityByCommand': () => ofUnit({ quality }),
    'unitSettings.setSafEncoder': () => ofUnit({ encoder: 'H.264/AVC' }),
    'unitSettings.setCapping': () => ofUnit({ option: 4.2 }),
    'unitSettings.setCellularLimit': () => ofUnit({ limit: 4000 }),
    'unitSettings.setTotalLimit': () => ofUnit({ limit: 8000 }),
    'unitSettings.setCellularLimitAsAdmin': () => ofUnit({ limit: 4000 }),
    'unitSettings.setTotalLimitAsAdmin': () => ofUnit({ limit: 8000 }),
    'unitSettings.setAudioBitrate': () => ofUnit({ audioBitrate: 128 }),
    'unitSettings.setAudioParameters': () => ofUnit({ audioChannels: 2 }),
    'unitSettings.setShootingMode': () => ofUnit({ shootingMode: 'motion' }),
    'unitSettings.setVideoComplexity': () => ofUnit({ videoComplexity: 'complex' }),
    'unitSettings.setAudioParametersOld': () => ({ params: { id: oldUnit.id }, body: { audioChannels: 2 } }),
    'unitSettings.filenamePrefix': () => ofUnit({}),
    'deviceAdministration.createServer': () => ({
      body: { type: 'db_gateway', name: `Made-${made++}`, serialNumber: `G-${made}`, inventory: 'north' },
    }),
    'deviceAdministration.removeServer': async () => ({ params: { id: await newServer() } }),
    ...serverChanges(() => ({ fleet, hub })),
    'deviceAdministration.createUnit': () => ({ body: unitRecord() }),
    'deviceAdministration.changeUnit': () => ofUnit({ comment: 'car' }),
    'deviceAdministration.changeNamedUnit': () => ({ body: { unitUniqueId: unit.id, comment: 'bus' } }),
    'deviceAdministration.removeNamedUnit': async () => ({ query: { unitUniqueId: await newUnit() } }),
    'deviceAdministration.removeUnit': async () => ({ params: { id: await newUnit() } }),
    'deviceAdministration.changeSmartUnit': async () => ({
      params: { id: await newSmartUnit() },
      body: { comment: 'phone' },
    }),
    'deviceAdministration.changeUnitOfInventory': () => ({
      params: { inv: 'north', id: unit.id },
      body: { comment: 'boat' },
    }),
    'invitations.removeUnit': async () => ({ params: { group: 'london', id: await newSmartUnit() } }),
    'linkExtenders.pair': async () => ({ params: { id: await newUnit() }, body: { serialNumber: 'LX-1' } }),
    'linkExtenders.remove': async () => {
      const id = await newUnit()
      await root.call(api.linkExtenders.pair, { params: { id }, body: { serialNumber: 'LX-2' } })
      return { params: { id, serial: 'LX-2' } }
    },
    'deviceAdministration.deregisterUnit': async () => ({ params: { id: await newUnit() } }),
    'deviceAdministration.associate': async () => ({ params: { inv: 'south', unit: await newUnit() } }),
    'deviceAdministration.disassociate': async () => {
      const inv = await newInventory('north')
      const unit = await newUnit()
      await root.call(api.deviceAdministration.associate, { params: { inv, unit } })
      return { params: { inv, unit } }
    },
    'accessApprovals.grant': () => ({ body: { device: unit.id } }),
    'accessApprovals.revoke': async () => ({ params: { id: await openApproval() } }),
    'remoteActions.act': () => ({ body: { device: unit.id, action: 'reboot' } }),
    ...databridgeChanges(() => ({ root, bridged })),
    ...cdnStreamChanges(() => ({ fleet, root })),
    ...pointToPointChanges(() => fleet),
    ...networkChanges(() => networked.id),
    ...ipPipeChanges(() => ({ root, piped })),
    'channels.record': () => ({ params: { id: hub.channelIds[0] }, body: { recording: true } }),
    'channelAdministration.create': () => ({ body: { name: `Made-${made++}`, serverId: hub.id } }),
    'channelAdministration.renewInputKey': async () => ({ params: { id: await inputChannelOf(fleet) } }),
    'channelAdministration.change': async () => ({
      params: { id: await newChannel() },
      body: { name: 'Bern' },
    }),
    'channelAdministration.remove': async () => ({ params: { id: await newChannel() } }),
    'channelAdministration.associate': async () => ({ params: { inv: 'south', id: await newChannel() } }),
    'channelAdministration.disassociate': async () => {
      const params = { inv: 'south', id: await newChannel() }
      await root.call(api.channelAdministration.associate, { params })
      return { params }
    },
    ...channelSettingsChanges(newChannel, () => ({ root, fleet })),
    'destinations.add': async () => ({ body: await newDestination() }),
    'destinations.update': async () => {
      const body = await newDestination()
      const { id } = await root.call(api.destinations.add, { body })
      return { body: { ...body, id } }
    },
    'destinations.remove': async () => {
      const body = await newDestination()
      const { id } = await root.call(api.destinations.add, { body })
      return { body: { uid: body.uid, id } }
    },
    'channelFiles.rename': () => ofFile({ newFileName: 'Bulletin.mp4' }),
    'channelFiles.publish': () => ofFile(),
    'channelFiles.play': () => ofFile({ broadcastingMmhId: channelOfHub(), rootDirectory: 'recordings' }),
    'channelFiles.stop': async () => {
      hub.telemetry([{ channelId: channelOfHub(), status: 'PlayStoredFile', playing: [fileOfHub()] }])
      await until(() => fleet.core.channels.known(channelOfHub())?.playing.length === 1)
      return ofFile({ broadcastingMmhId: channelOfHub() })
    },
    'channelFiles.remove': async () => {
      hub.telemetry([{ channelId: channelOfHub() }])
      await until(() => fleet.core.channels.known(channelOfHub())?.playing.length === 0)
      return ofFile()
    },
    'fileTargets.create': () => ({
      params: { id: 'north' },
      body: { name: 'Newsroom', kind: 'sftp', address: 'sftp://127.0.0.1/', secret: 'in-and-out' },
    }),
    'fileTargets.change': () => ofTarget({ sendsAll: false, secret: 'in-and-out' }),
    'fileTargets.remove': () => ofTarget(),
    'fileTargets.send': async () => ofFile({ targetId: await newTarget() }),
    'fileTargets.cancel': async () => {
      // Its server is not connected, so that it waits for the next try.
      const body = { fileId: fileOfHub(), targetId: await newTarget('ftp://192.0.2.1/') }
      const { id } = await root.call(api.fileTargets.send, { body })
      return { params: { sendingId: id } }
    },
    'channels.updateMultipoint': () => ({ body: { uniqueID: unit.id, machines: [] } }),
    ...settingChanges(
      () => root,
      () => unit.id,
    ),
    'socialMedia.saveDetails': () => ({ body: { channelUid: hub.channelIds[0], title: 'News' } }),
    'recipients.sendVerification': async () => ({ params: await newRecipient() }),
    ...cameraChanges(() => fleet),
    ...intercomChanges(() => ({ fleet, root })),
    ...returnChanges(() => ({ root, returns, unit })),
    'alerts.setOfGroup': () => ({ params: { id: 'london' }, body: defaultAlertsConfiguration }),
    'alerts.setOfUnit': () => ofUnit(defaultAlertsConfiguration),
    'notifications.create': () => ({
      body: { body: 'Maintenance tonight', expiration: new Date(fleet.clock.nowMs() + 1000).toISOString() },
    }),
    'notifications.change': async () => ({ params: { id: await newMessage() }, body: { body: 'More' } }),
    'notifications.remove': async () => ({ params: { id: await newMessage() } }),
    'whatsNew.create': () => ({
      body: { date: '2026-11-21', title: 'Four cameras', text: 'On one screen.' },
    }),
    'whatsNew.change': async () => ({ params: { id: await newNote() }, body: { title: 'Nine cameras' } }),
    'whatsNew.remove': async () => ({ params: { id: await newNote() } }),
    'services.startTrial': () => ({ params: { current: 'north' }, body: { serviceName: 'ingest' } }),
    'services.add': () => ({ params: { id: 'north' }, body: { name: 'go_plan' } }),
    'services.change': () => ({ params: { id: 'north' }, body: { name: 'go_plan', renewal: 'yearly' } }),
    'services.remove': () => ({ params: { id: 'north' }, query: { serviceName: 'go_plan' } }),
    'services.addNamed': () => ({ params: { id: 'north', service: 'Extra' }, body: {} }),
    'services.changeNamed': () => ({ params: { id: 'north', service: 'Extra' }, body: { instanceLimit: 4 } }),
    'services.removeNamed': () => ({ params: { id: 'north', service: 'Extra' } }),
    'licences.setStock': () => ({ params: { id: 'north' }, body: { licence: 'video', total: 3 } }),
    'licences.removeLimit': () => ({ params: { id: 'north', unit: unit.id } }),
    'licences.assign': () => ({ params: { id: 'north', unit: unit.id }, body: { video: true } }),
    'aiSettings.create': () => ({ body: { name: 'Desk', provider: 'local', secret: password } }),
    'aiSettings.change': async () => ({ params: { id: await ownAiSettings() }, body: { secret: password } }),
    'aiSettings.remove': async () => ({ params: { id: await ownAiSettings() } }),
    'stories.create': () => ({ params: { id: 'north' }, body: { slugline: 'HARBOUR FIRE' } }),
    'stories.change': async () => ({ params: await newStory(), body: { reporter: 'Ana' } }),
    'stories.remove': async () => ({ params: await newStory() }),
    'stories.assign': async () => ({ params: { ...(await newStory()), unit: unit.id } }),
    'stories.setPrompt': () => ({
      params: { id: 'north', unit: unit.id },
      body: { promptMetadata: true },
    }),
    'stories.unassign': async () => ({ params: { ...(await newStory()), unit: unit.id } }),
    ...upgradeChanges(() => root),
    'usageProfiles.create': () => ({
      body: { name: 'Field units', inventory: 'north', type: 'hours', monthlyLimit: 40, resetDay: 31 },
    }),
    'usageProfiles.change': async () => ({
      params: { id: await newUsageProfile() },
      body: { resetDay: 15 },
    }),
    'usageProfiles.remove': async () => ({ params: { id: await newUsageProfile() } }),
    ...communicationRequests(() => ({ root, hub })),
    'apiKeys.create': () => ({ body: { name: 'Planner', inventory: 'north', role: 'luc_read' } }),
    'apiKeys.remove': async () => ({ params: { id: await newApiKey() } }),
    'users.create': () => ({
      body: {
        username: 'newcomer',
        ...fresh,
        firstName: 'New',
        lastName: 'Comer',
        userType: 'regular',
        inventories: ['north'],
        groups: ['london'],
      },
    }),
    'users.change': async () => ({ params: { id: await newUser() }, body: { label: 'van' } }),
    'users.remove': async () => ({ params: { id: await newUser() } }),
    'users.setPassword': async () => ({ params: { id: await newUser() }, body: fresh }),
    'users.changePassword': () => ({ body: { oldPassword: password, ...fresh } }),
    'users.updateOwn': () => ({ body: { phone: '442' } }),
    'outbox.retry': async () => ({ params: { id: await newMail() } }),
    'outbox.discard': async () => ({ params: { id: await newMail() } }),
    'invitations.setAdhoc': () => ({ params: { currentGroup: 'london' }, body: { mode: 'email' } }),
    'invitations.setPermanent': () => ({
      params: { currentGroup: 'london' },
      body: { regenerate: 'weekly' },
    }),
    'invitations.create': () => ({ params: { currentGroup: 'london' }, body: { period: '1 day' } }),
    'invitations.email': () => ({
      params: { currentGroup: 'london' },
      body: { recipients: ['van@north.example'], period: '1 day' },
    }),
    'invitations.sms': () => ({
      params: { currentGroup: 'london' },
      body: { recipients: ['+447700900001'], period: '1 day' },
    }),
    'signIns.signOut': () => ({}),
  }

  /** The calls that an administrator of a customer may make, and a super user may not. */
  const ofAdministrators = ['services.startTrial', 'licences.assign', 'licences.removeLimit']

  const linesOf = async (action: string) =>
    (await fleet.db.selectFrom('audit').selectAll().where('action', '=', action).execute()).filter(
      ({ result }) => result === 'done',
    )

  /** Tested with their features: each needs what this installation does not have, such as no users, or a picture. */
  const elsewhere = [
    ...unrecorded,
    'signIns.makeFirstUser',
    'signIns.secondStep',
    'secondFactors.confirmPasskey',
    'aiSessions.start',
    'aiSessions.stop',
    'audioRooms.join',
    'audioRooms.leave',
  ]
  const writes = allEndpoints().filter(({ endpoint }) => endpoint.method !== 'GET')

  it('is in the table above', () => {
    const names = writes.map(({ name }) => name).filter((name) => !elsewhere.includes(name))
    expect(names.toSorted()).toEqual(Object.keys(requests).toSorted())
  })

  it.each(Object.keys(requests))('%s leaves a line that names who, what and where', async (name) => {
    const { endpoint } = writes.find((one) => one.name === name) as { endpoint: AnyEndpoint }
    const input = (await requests[name]?.()) ?? {}
    const before = await linesOf(name)
    const isNora = ofAdministrators.includes(name)
    const browser = name === 'signIns.signIn' ? fleet.browser() : isNora ? nora : root
    await browser.call(endpoint, input as never)
    const lines = (await linesOf(name)).slice(before.length)
    expect(lines).toMatchObject([
      { username: isNora ? 'nora' : 'root', user_id: isNora ? 'us-nora' : 'us-root', address: '127.0.0.1' },
    ])
    const secrets = [fresh.password, password]
    expect(secrets.filter((secret) => JSON.stringify(lines).includes(secret))).toEqual([])
  })

  it('is otherwise what users arrange for themselves', async () => {
    const olivia = await fleet.signedIn('olivia')
    await olivia.call(api.client.savePreferences, { body: {} as never })
    expect(await linesOf('client.savePreferences')).toEqual([])
  })
})
