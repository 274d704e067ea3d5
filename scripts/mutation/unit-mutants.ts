// Checks of settings of units by users, and of the logs that devices send.
import { type Rule, rules } from './mutant-rules.ts'

const setting = rules(/^transmission\/unit-settings\//, ['transmission/unit-settings'])
const unitFile = rules(/^footage\/unit-files\//, ['footage/unit-files'])
const camera = rules(/^transmission\/cameras\//, ['transmission/cameras'])
const intercom = rules(/^programme\/intercom\//, ['programme/intercom'])
const deviceLog = rules(/^transmission\/device-logs\//, ['transmission/device-logs'])
const extender = rules(/^fleet\/link-extenders\//, ['fleet/link-extenders'])
const record = rules(/^fleet\/device-administration\/unit-records/, ['fleet/device-administration'])
const registration = rules(/^(\w+\/devices|doors\/gateway)\//, [
  'fleet/devices',
  'fleet/device-administration',
  'doors/gateway',
])
const upgrade = rules(/^fleet\/upgrades\//, ['fleet/upgrades'])
const slaOfUnit = rules(/^fleet\/device-administration\//, ['fleet/link-extenders'])

export const unitMutants: readonly Rule[] = [
  setting('requireSupported(requested, before)\n'),
  setting('requireChangeableNow(requested, unit)\n'),
  setting('if (faults.length > 0) throw new InvalidRequest(faults)'),
  setting('isPrefixTaken(unit, changes.filenamePrefix)', 'false'),
  setting('.ofInventory(inventoryId)', '.readable({ everything: true } as never)'),
  setting('if (unknown !== undefined)', 'if (unknown === null)'),
  setting("if (isBelow !== isOld) throw new Conflict('feature.disabled')"),
  camera("requireMode(unit, 'highQuality')\n"),
  camera('requireFeedCount(unit, feeds)\n'),
  camera("requireChannels(multipleCamera, channels.members(multipleCamera.channel ?? ''))\n"),
  camera("if (!channel) throw new NotFound('channel')", 'if (!channel) return name'),
  camera("if (id !== null && channels.members(id).length === 0) throw new NotFound('groupChannel')"),
  camera('requireDifferentChannels(switcher)\n'),
  camera('else requireMode(unit, mode)'),
  camera("if (mode === 'single') requireIdle(unit)\n      else", "if (mode !== 'single')"),
  intercom('if (closed !== undefined) throw new Conflict(closed)'),
  intercom('if (refusal !== undefined) throw new Conflict(refusal)'),
  intercom("if (sessionOf(unitId, intercom)) throw new Conflict('intercom.running')"),
  intercom("line.destinationAccount !== '' && !(await", "line.destinationAccount === '-' && !(await"),
  intercom('if (unknown >= 0)', 'if (unknown >= 9)'),
  intercom("if (unit.offline) throw new Conflict('unit.offline')"),
  intercom("if (now.some((one) => one.intercom === intercom)) throw new Conflict('intercom.running')"),
  intercom("if (sessionsOf(unitId).length > 0) throw new Conflict('intercom.running')"),
  intercom("if (room.participants.length >= AUDIO_ROOM_PLACES) throw new Conflict('audioRoom.full')"),
  intercom("if (found.length === 0) throw new Unavailable('audioRoom.noServer')"),
  deviceLog('if (refusal !== undefined) throw new Conflict(refusal)'),
  deviceLog('if (one?.deviceId !== deviceId) return', 'if (!one) return'),
  deviceLog('if (one.letters > LOG_BYTES_MAX) {', 'if (Number.isNaN(one.letters)) {'),
  deviceLog("if (one.deviceId === deviceId) end(one, 'failed')", "end(one, 'failed')"),
  deviceLog(
    "if (serverId === undefined) throw new Conflict('deviceLog.channelCannot')",
    'if (!serverId) return',
  ),
  extender('if (closed !== undefined) throw new Conflict(closed)'),
  extender("if (productOf(unit.type).group !== 'fieldUnits') throw refused('linkExtender.notFieldUnit')"),
  extender(
    "if (unit.swVersion !== '' && unit.capabilities.xtend !== true) throw refused('linkExtender.notBuiltIn')",
  ),
  extender("productOf(named.productType).group !== 'extenderDevices'", 'false'),
  extender('.length >= LINK_EXTENDERS_MAX', '.length < 0'),
  extender("if (removed === 0) throw new NotFound('linkExtender')"),
  slaOfUnit('requireVendor(roles, ownership, sla)\n'),
  record("if (deregisteredMs !== undefined) throw new Conflict('unit.deregistered')"),
  record('await devices.deregister(id, requireIdle(id))', 'await devices.deregister(id, async () => {})'),
  registration('deregisteredMs !== undefined && codeHash === undefined', 'deregisteredMs === null'),
  registration("if (isElsewhere) throw new Conflict('registration.elsewhere')"),
  registration('other === undefined || device.serialNumber === serialNumber', 'true'),
  registration('!host.deviceOf(session.tokenHash)', 'session.tokenHash === null'),
  upgrade("if (!device) throw new NotSignedIn('device.unknownToken')"),
  upgrade(
    "if (upgrade?.id !== upgradeId || upgrade.state !== 'upgrading') return undefined",
    'if (!upgrade) return undefined',
  ),
  unitFile("if (unit.offline) throw new Conflict('unit.offline')"),
  unitFile("if (unit.capabilities.fileUpload !== true) throw new Conflict('upload.cannot')"),
  unitFile("if (!paths.every(isStored)) throw new NotFound('file')"),
  unitFile("if (isOpen) throw new Conflict('upload.running')"),
  unitFile(
    "if (open + requested.length > UPLOADS_KEPT)\n        throw new Conflict(because('upload.tooMany', { most: UPLOADS_KEPT }))",
  ),
  unitFile("if (unit.storages.some(({ path }) => paths.includes(path))) throw new NotFound('file')"),
  unitFile('list?.unitId === deviceId && ', 'list && '),
  unitFile("if (!device) throw new NotSignedIn('device.unknownToken')"),
  unitFile(
    "if (found?.[end] !== device.id) throw new NotFound('upload')",
    "if (!found) throw new NotFound('upload')",
  ),
  unitFile("if (!isSame) throw new Conflict('upload.changed')"),
  unitFile(' || mine.attempt !== attempt', ''),
  unitFile(" || deviceId !== (side === 'in' ? mine.serverId : mine.unitId)", ''),
]
