// Checks of settings by administrators for groups, channels and the whole installation.
import { type Rule, rules } from './mutant-rules.ts'

const recipient = rules(/^\w+\/(groups\/recipient(s|-table)|alerts\/alert-mails)\.ts$/, [
  'people/groups/recipients.test.ts',
])
const systemSetting = rules(/^platform\/system-settings\//, ['platform/system-settings'])
const softwareVersion = rules(/^\w+\/(software-versions|system-settings\/version-settings)/, [
  'platform/software-versions',
])
const configuration = rules(/^platform\/system-settings\//, ['edge/client'])
const deviceService = rules(/^usage\/device-services\//, ['usage/device-services'])
const upgrade = rules(/^fleet\/upgrades\/upgrades\.ts$/, ['fleet/upgrades'])
const social = rules(/^transmission\/social-media\/social-media\.ts$/, ['transmission/social-media'])

export const settingsMutants: readonly Rule[] = [
  systemSetting('if (main && others.some((one) => one.main && one.provider === provider))', 'if (false)'),
  systemSetting('await requireProvider(profile)'),
  systemSetting('if (await table.hasInventories(db, id))', 'if (false)'),
  systemSetting(
    'if (await table.associate(transaction, value)) return',
    'return await table.associate(transaction, value)',
  ),
  configuration('if (inventory !== null) await needs.inventories.get(everything, inventory)'),
  deviceService(
    "if (!isServiceOf(device.kind, service)) throw Conflict.at('service', 'deviceService.otherKind')",
  ),
  deviceService("if (!device) throw new NotFound('device')", 'if (!device) return'),
  softwareVersion('if (!others.some((other) => isSameForSomebody(version, other))) return', 'return'),
  softwareVersion("if (!mayChange) throw new NotAllowed('softwareVersion.forAll')"),
  softwareVersion('if (requested.length === 0 && !scope.everything)', 'if (false)'),
  softwareVersion('await inventories.get(scope, id)', '{}'),
  softwareVersion('.filter((version) => mayHave(scope, version))', ''),
  softwareVersion('version.inventories.filter((one) => readsInventory(scope, one))', 'version.inventories'),
  upgrade('if (refusal && (upgradeNow || !refusal.passes))', 'if (false)'),
  upgrade('if (later) throw new Conflict(later.reason, { code: later.code })'),
  upgrade("if (device?.kind === 'unit') units.get(scope, deviceId)", "if (device?.kind === 'unit') {}"),
  upgrade("if (upgrades.get(device.id)?.state === 'upgrading') throw new Conflict('upgrade.running')"),
  upgrade("if (pending?.state !== 'pending') throw new Conflict('upgrade.nonePending')"),
  upgrade('if (refusal?.passes) return'),
  social('if (closed !== undefined) throw new Conflict(closed)'),
  social("if (now === 'live') throw new Conflict('socialMedia.live')"),
  social("if (state === 'live' && now !== 'preview') throw new Conflict('socialMedia.previewFirst')"),
  social("if (!members.includes(unit.uid)) throw new NotFound('unit')"),
  recipient("if (row.verified_ms !== null) throw new Conflict('recipient.verified')"),
  recipient('if (waitMs > 0) throw new TooMany(Math.ceil(waitMs / 1000))'),
  recipient("if (nowMs >= row.link_sent_ms + VERIFICATION_LASTS_MS) throw new Conflict('recipient.expired')"),
  recipient(".where('verified_ms', 'is not', null)"),
  recipient(".where((is) => is.or([is('mailed_ms', '<=', sinceMs), is('mailed_ms', '>', nowMs)]))"),
  recipient('if (fresh.length === 0) return'),
]
