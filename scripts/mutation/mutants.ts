// Every check without which a test must fail: the text in the source, and the text without the check.

import { accessMutants } from './access-mutants.ts'
import { ingestMutants } from './ingest-mutants.ts'
import { ownFeature, type Rule, rules } from './mutant-rules.ts'
import { overlayMutants } from './overlay-mutants.ts'
import { providerMutants } from './provider-mutants.ts'
import { settingsMutants } from './settings-mutants.ts'
import { unitMutants } from './unit-mutants.ts'

const permissions = ['permissions.test.ts', 'doors/api/api.test.ts']
const tenancy = ['tenancy.test.ts']
const signIns = ['people/sign-ins', 'people/users', 'people/second-factors']
const scopes = ['database/scope.test.ts', ...tenancy]
const push = ['doors/push/push.test.ts', ...tenancy]

const guard = rules(/^doors\/api\/guard\.ts$/, permissions)
const bind = rules(/^doors\/api\/bind\.ts$/, [...permissions, 'people/sign-ins/sign-ins.test.ts'])
const door = rules(/^doors\/api\/api\.ts$/, ['doors/api/api.test.ts', 'people/sign-ins/sign-ins.test.ts'])
const header = rules(/^doors\/api\/headers\.ts$/, ['doors/api/api.test.ts'])
const cookie = rules(/^doors\/api\/sign-in-cookies\.ts$/, ['people/sign-ins/sign-ins.test.ts'])
const attempt = rules(/^doors\/(attempts|api\/login-rate-limit)\.ts$/, signIns)
const signIn = rules(/^people\/sign-ins\/sign-ins\.ts$/, signIns)
const apiKey = rules(/^people\/api-keys\/api-keys\.ts$/, ['people/api-keys'])
const secondFactor = rules(/^people\/second-factors\//, ['people/second-factors'])
const user = rules(/^people\/users\/(users|passwords)\.ts$/, signIns)
const userDetail = rules(/^edge\/user-details\//, ['edge/user-details'])
const scope = rules(/^database\/scope\.ts$/, scopes)
const query = rules(/-table\.ts$/, [
  ownFeature,
  'people/groups',
  'platform/inventories',
  'edge/client',
  'usage/usage-profiles',
  ...tenancy,
])
const usage = rules(/^usage\/usage-profiles\/usage-profiles\.ts$/, ['usage/usage-profiles', ...tenancy])
const live = rules(/^platform\/live\/live\.ts$/, push)
const pushDoor = rules(/^doors\/push\/push\.ts$/, push)
const thing = rules(/^\w+\/(units|channels|servers|devices|alerts|telemetry)\/[a-z]+\.ts$/, [
  ...tenancy,
  ownFeature,
  'fleet/databridge',
])
const story = rules(/^footage\/stories\//, ['footage/stories', ...tenancy])
const outward = rules(/^doors\/outward-address\.ts$/, ['doors/outward-request.test.ts'])
const ai = rules(/^\w+\/ai-(settings|sessions)\//, ['footage/ai-sessions', ...tenancy])
const approval = rules(/^fleet\/access-approvals\//, ['fleet/access-approvals'])
const preview = rules(/^fleet\/previews\//, ['fleet/previews', ...tenancy])
const previewKey = rules(/^fleet\/devices\/devices\.ts$/, ['fleet/previews'])
/** Every caller, as if they were vendor staff. */
const call = rules(
  /-routes\.ts$|^\w+\/(transmissions\/transmissions|video-return\/video-return)\.ts$|preview-pictures\.ts$/,
  [
    ...tenancy,
    ownFeature,
    'people/groups',
    'usage/licences',
    'usage/services',
    'transmission/transmissions',
    'fleet/channels',
    'fleet/databridge',
    'programme/video-return',
    'fleet/device-administration',
    'fleet/access-approvals',
  ],
)

const file = rules(/^footage\/files\/|^fleet\/devices\/device-requests\.ts$/, ['footage/files', ...tenancy])
const joining = rules(/^\w+\/(groups\/registration-keys|invitations\/invitations)\.ts$/, [
  'people/groups/registration-keys.test.ts',
])
const invitation = rules(/^\w+\/(invitations\/|devices\/pairing)/, ['fleet/invitations', 'fleet/devices'])
const guessing = rules(/^doors\/failure-limit\.ts$|^fleet\/devices\/devices\.ts$/, [
  'fleet/devices/pairing.test.ts',
  'fleet/devices/newcomers.test.ts',
])
const service = rules(/^usage\/services\//, ['usage/services'])
const licence = rules(/^usage\/licences\//, ['usage/licences'])
const channel = rules(/^fleet\/channels\/channel-administration\.ts$/, ['fleet/channels', ...tenancy])
const destination = rules(/^fleet\/channels\/destinations\.ts$/, ['fleet/channels', ...tenancy])
const administration = rules(/^fleet\/device-administration\//, ['fleet/device-administration'])
const machine = rules(/^transmission\/transmissions\/machines\.ts$/, ['fleet/channels'])
const gated = rules(/^\w+\/(transmissions\/refusals|databridge\/databridge)\.ts$/, [
  'transmission/transmissions',
  'fleet/databridge',
])

const atTheDoor: readonly Rule[] = [
  guard('requireApplicationId(request)\n  if (endpoint', 'if (endpoint'),
  guard('if (!caller) throw new NotSignedIn()'),
  guard("else if (endpoint.method !== 'GET') requireCsrfToken(request, csrfHash)"),
  guard("if (endpoint.closedToKeys) throw new NotAllowed('apiKey.closed')"),
  guard("if (faults.length > 0) throw new NotAllowed('apiKey.closed', faults)"),
  guard(
    "if (endpoint.permission !== 'signedIn' && !mayDo(request.caller.roles, endpoint.permission))\n    throw new NotAllowed(refusalOfAction(endpoint.permission))",
  ),
  guard("if (!isSecretOf(csrfHash, typeof token === 'string' ? token : ''))", 'if (!token)'),
  bind('endpoint.body === nothing ? emptyBody : endpoint.body', 'endpoint.body'),
  bind('if (faults.length > 0) throw new InvalidRequest(faults)'),
  cookie('httpOnly: true '),
  cookie("sameSite: 'lax'", "sameSite: 'none'"),
  cookie("secure: reply.request.protocol === 'https'", 'secure: false'),
  bind('if (!endpoint.audited || !request.caller) return', 'return'),
  door('bodyLimit: bodyBytesAtMost,'),
  door("app.getDefaultJsonParser('error', 'error')", "app.getDefaultJsonParser('ignore', 'ignore')"),
  door("host !== undefined && (host === headers.host || host === headers['x-forwarded-host'])", 'true'),
  header('"script-src \'self\'",', "\"script-src 'self' 'unsafe-inline'\","),
  header('"frame-ancestors \'none\'",'),
  header('"default-src \'none\'",'),
  header('"base-uri \'none\'",'),
  header('"form-action \'self\'",'),
  header("reply.header('x-content-type-options', 'nosniff')"),
  header("reply.header('x-frame-options', 'DENY')"),
  header("reply.header('referrer-policy', 'same-origin')"),
  header("reply.header('cross-origin-opener-policy', 'same-origin')"),
  header("if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000')"),
  header("if (request.protocol === 'https') "),
  header("if (request.url.startsWith('/luc/')) reply.header('cache-control', 'no-store')"),
]

const atSignIn: readonly Rule[] = [
  signIn(
    'const takeBack = await attempts.take({ account: username, address, knownBrowser })',
    'const takeBack = () => {}',
  ),
  signIn(
    'const takeBack = await attempts.take({ account: caller.username, address })',
    'const takeBack = () => {}',
  ),
  signIn('secondFactor ? { secondFactor } : await begin(person, origin)', 'await begin(person, origin)'),
  signIn('if (refusal) throw refusal'),
  secondFactor('await requirePassword(caller, password, at)'),
  secondFactor('if (offered?.userId !== userId) throw', 'if (!offered) throw'),
  secondFactor('if (step === undefined) throw', 'if (Number.isNaN(step)) throw'),
  secondFactor('attempts.take(', '((..._: string[]) => () => {})('),
  secondFactor(".where('until_ms', '>', nowMs)"),
  secondFactor(".where('tries_left', '>', 0)"),
  secondFactor("query.where('counter', '<', counter)", 'query'),
  secondFactor('await users.administration.requireAdministered(caller, userId)'),
  apiKey('if (!mayGiveRole(caller.roles, role))', 'if (!role)'),
  apiKey('if (expiresMs !== null && expiresMs <= nowMs)', 'if (expiresMs === 0)'),
  apiKey('!person?.active ||', '!person ||'),
  apiKey(' || isOver) {', ') {'),
  apiKey('await attempts.take({ address })'),
  apiKey('const roles = rolesOfKey(person.roles, key.role)', 'const roles = [key.role]'),
  apiKey('makers.everything ? [own] : [own, ...makers.customers]', '[own]'),
  apiKey(
    "makers.readsGroup(groupId) && isReached.has(groups.inventoryOf(groupId) ?? '')",
    'isReached.has(groupId) || true',
  ),
  apiKey('everyGroup: makers.everything || makers.everyGroup,', 'everyGroup: true,'),
  attempt('const perAccountAtAddress = 5', 'const perAccountAtAddress = 5000'),
  attempt('const perAccountAtMost = 20', 'const perAccountAtMost = 5000'),
  attempt('const perAddress = 20', 'const perAddress = 5000'),
  attempt(".where('at_ms', '>', nowMs - windowMs)"),
  attempt(".where('at_ms', '<=', nowMs)"),
  signIn('if (present) await end(present)'),
  signIn('if (isOver(signIn)) {', 'if (!signIn) {'),
  signIn('signIn.expiresMs <= nowMs || '),
  signIn(' || signIn.lastSeenMs + idleMs <= nowMs'),
  signIn('if (!person?.active) return undefined', 'if (!person) return undefined'),
  userDetail('await users.administration.get(caller, userId)\n'),
  userDetail('if (!person?.active)', 'if (!person)'),
  user('isRight && user?.active ? personOf', 'isRight && user ? personOf'),
  user('stored ?? nobodys', "stored ?? ''"),
  user('return isRight && stored !== undefined', 'return isRight || stored !== undefined'),
]

const inScope: readonly Rule[] = [
  scope(
    'if (scope.wholeInventories && scope.inventories.includes(thing.inventoryId)) return true',
    'return true',
  ),
  scope('scope.wholeInventories && scope.inventories.includes', 'scope.inventories.includes'),
  scope('thing.groupIds.some(scope.readsGroup)', 'true'),
  scope('if (all.length === 0) return never', 'if (all.length === 0) return always'),
  scope('if (!customers.withSecondaries) return', 'if (false) return'),
  scope('sql.join(parts, sql` and `)', 'sql.join(parts, sql` or `)'),
  scope('return scope.everything ? always : isCustomerIn(scope.customers, inventoryId)', 'return always'),
  scope('if (!scope.member) return never', 'if (!scope.member) return always'),
  scope('return ownCustomersOnly ?', 'return ownCustomersOnly === undefined ?'),
  scope('if (!scope.wholeInventories) return byGroup'),
  query(
    "groupInScope(scope, { id: eb.ref('groups.id'), inventoryId: eb.ref('groups.inventory_id') })",
    "eb('groups.id', '<>', '')",
  ),
  query(".where((eb) => inventoryInScope(scope, eb.ref('id')))"),
  query(".where((eb) => inventoryInScope(scope, eb.ref('inventory_id')))"),
  usage('await inventories.get(scope, inventory)', '{ id: inventory }'),
  usage("if (known.length < units.length) throw new NotFound('unit')"),
  query('groupInScope(scope as Scope, {', 'groupInScope(everything, {'),
  query("inventoryInScope(scope, eb.ref('inventory_id').$castTo<string>())", "eb('is_global', '=', 0)"),
  thing(
    'const mayRead = ({ scope }: { scope: Scope }) => isReadable(scope, device)',
    'const mayRead = () => true',
  ),
  thing(' || !isReadable(scope, known.device)'),
  thing(' || !isReadable(scope, server[0])'),
  thing(' && isReadable(scope, device)'),
  thing(' || !mayRead(scope, known)'),
  thing('known && mayRead(scope, known) ? withRevision', 'known ? withRevision'),
  thing('scope.readsGroup(groupId)', 'true || scope'),
  story("if (units.get(scope, unitId).inventoryId !== inventoryId) throw new NotFound('unit')"),
  story('await inventories.get(scope, inventoryId)', '{ id: inventoryId }'),
  story('assignedUnits.filter(isKnown)', 'assignedUnits'),
  story(".where('inventory_id', '=', inventoryId)\n    .returningAll()", '.returningAll()'),
  ai('if (refusal !== null) throw new Conflict(refusal)'),
  ai("secret === '' ? null : sealing.seal(secret, id)", "secret === '' ? null : secret"),
  outward('if (isIP(address) !== 0 && isClosed(address)) throw refusal()'),
  outward('found.filter(({ address }) => !isClosed(address))', 'found'),
  thing('await groups.get(scope, groupId)'),
  thing('units.get(scope, unitId)\n'),
  thing('const { uniqueId: id } = channels.get(scope, channelId)', 'const id = channelId'),
  call('caller.scope', '{ ...caller.scope, everything: true }'),
  administration('await requireGroups(needs, scope, inventoryId, requested)'),
  administration('for (const sharer of sharers) await inventories.get(scope, sharer)'),
  administration('for (const sharer of sharers ?? []) await inventories.get(scope, sharer)'),
  administration('requireVendor(roles, ownership, expiration, outputChannels)\n'),
  administration('await accessApprovals.require(caller, deviceId)'),
  administration('if (fault !== undefined) throw new Conflict(fault)'),
  administration("devices.memberships.isReadable(scope, 'unit', id, inventoryId)", 'true'),
]

const lending = rules(/^people\/groups\/(membership-expiry|member-table)\.ts$/, [
  'people/groups/membership-expiry.test.ts',
  ...tenancy,
])
const alertRules = rules(/^fleet\/alerts\/alert-configurations\.ts$/, ['fleet/alerts', ...tenancy])

const atJoining: readonly Rule[] = [
  joining("if (group.adhocMode === 'off') throw new Conflict('invitation.off')"),
  joining('group && !isOver(group, clock.nowMs()) ? group', 'group ? group'),
  lending('await get(scope, groupId)'),
  lending(".where((eb) => eb.not(transmits('group_units.unit_id')))"),
  lending(".where('expires_ms', '<=', nowMs)"),
  alertRules('await groups.get(scope, groupId)'),
  alertRules('units.get(scope, unitId)', '{ uid: unitId }'),
]

const atInvitations: readonly Rule[] = [
  invitation('if (!guess) throw new TooMany(limitS)'),
  invitation('hasFailed = !found', 'hasFailed = false'),
  invitation("if (!found) throw new NotFound('invitation')", 'if (!found) return {} as never'),
  guessing('if (!(await attempt.mayProceed())) return undefined'),
  guessing('if (recent + address.undecided.indexOf(attempt) < failuresAtMost) return true', 'return true'),
  invitation(
    'const group = await groups.get(scope, groupId)',
    'const group = { ...(await groups.find(groupId))!, adhocMode: null }',
  ),
  invitation("if (!ofUnit.includes(groupId)) throw new NotFound('unit')"),
  invitation("if (productOf(unit.type).group !== 'smartUnits') throw new Conflict('unit.notSmart')"),
  invitation("if (unit.busy) throw new Conflict('unit.busy')"),
  invitation("found.isUsed ? 'used' : isOver ? 'expired' : 'open'", "isOver ? 'expired' : 'open'"),
  invitation("isOver ? 'expired' : 'open'", "'open'"),
  invitation('refuse(pairingRefusal(found, clock.nowMs()))'),
  invitation(
    "if (!(await useCode(transaction, codeHash, deviceId))) refuse('pairing.used')",
    'await useCode(transaction, codeHash, deviceId)',
  ),
  invitation(".where('used_by_device_id', 'is', null)"),
]

const atServices: readonly Rule[] = [
  service('if (refusal !== undefined) throw new Conflict(refusal)'),
  service("if (held?.status !== 'na') throw new Conflict('service.held')"),
  service("if (!held) throw new NotFound('service')", 'if (!held) return'),
  service("if (!held || held.status === 'na') throw new NotFound('service')", 'if (!held) return'),
  service('if (trialStartedMs === null) return await', 'return await'),
  service(
    'const { trialStartedMs } = held\n        await table.updateService(transaction, { ...applied(purchased, given), trialStartedMs })',
    'await table.updateService(transaction, applied(purchased, given))',
  ),
  service('!held || held.overNotifiedMs !== null || ', '!held || '),
  service('...(isRenewed && { countedFromMs: clock.nowMs(), used: 0, overNotifiedMs: null }),'),
  service('if (planHolds(plan, group))'),
  service(".where((eb) => inventoryInScope(scope, eb.ref('inventory_services.inventory_id')))"),
  service(".where('inventory_services.status', '!=', 'na')"),
]

const atLicences: readonly Rule[] = [
  file("if (!file) throw new NotFound('file')"),
  file("if (file.isTransferring) throw new Conflict('file.beingWritten')"),
  file("if (isPlaying) throw new Conflict('file.playing')"),
  file('if (refusal !== undefined) throw new Conflict(refusal)'),
  file("if (!playing.includes(fileId)) throw new Conflict('playout.notPlaying')"),
  file('if (await isOwn(serverId, file)) own.push(file)', 'own.push(file)'),
  file(
    'stored ? stored.serverId === serverId : channel.ingestAssociation?.serverId === serverId',
    'stored === undefined || channel.ingestAssociation !== null',
  ),
  licence('if (!mayActivate(caller)) throw new NotAllowed()'),
  licence("if (unit.inventoryId !== id) throw new NotFound('unit')"),
  licence("if (change.video === false && isStreaming(unit)) throw new Conflict('unit.busy')"),
  licence('if (isMore && assigned > total) throw noneLeft(licence)'),
  licence('isMore && assigned > total', 'assigned > total'),
  licence("if (assigned > total) throw Conflict.at('total'", "if (false) throw Conflict.at('total'"),
  licence('...others'),
]

const atChannels: readonly Rule[] = [
  channel('!channel || !readsInventory(scope, channel.inventoryId)', '!channel'),
  channel('!server || !mayHost(scope, server)', '!server'),
  channel('all().filter(({ inventoryId }) => readsInventory(scope, inventoryId))', 'all()'),
  channel(
    "if (allocatedUnitId !== null || isBusy(administered(scope, id))) throw new Conflict('channel.busy')",
  ),
  channel("if (inventoryId === facts.inventoryId) throw new Conflict('channel.homeInventory')"),
  channel(
    "if (!(await table.removeInventory(transaction, id, inventoryId))) throw new NotFound('inventory')",
  ),
  destination('\n    await administration.one(scope, channelId)'),
  destination('const { serverId } = await administration.one(scope, channelId)', "const serverId = ''"),
  destination('requireAbility(serverId, destination.settings)'),
  destination('if (!mayStreamToOwnNetwork) rejectOwnNetwork(destination.settings)'),
  destination('if (taken) throw new Conflict(faultOf[taken], { fields: [faultOf[taken]] })'),
  destination('if (streamType !== next.streamType) return {}'),
  machine("if (wanted.some(({ name }) => !isMultipointName(name))) throw new NotFound('machine')"),
  machine('if (closed !== undefined) throw new Conflict(closed)'),
]

const returned = rules(/^programme\/video-return\//, ['programme/video-return'])

const atVideoReturn: readonly Rule[] = [
  returned('if (!channel || refusal !== undefined) throw', 'if (!channel) throw'),
  returned('(await table.countOpen(within, unit.inventoryId)) + 1', '0'),
  returned('channels.find(scope, channelId) && returnChannels.get', 'returnChannels.get'),
  returned('requireOpen(settings, selected.input)'),
  returned('requireOpen(now, choice.input)'),
  returned(".where('inventory_id', '=', inventoryId)"),
]

const atGates: readonly Rule[] = [
  call('if (closed !== undefined) throw new Conflict(closed)'),
  gated('if (closed !== undefined) throw new Conflict(closed)'),
  gated("gate('databridge', { unit }) ?? "),
]

const atApprovals: readonly Rule[] = [
  approval('if (await hasOpen(transaction, row.device_id, row.start_ms)) return false'),
  approval("if (!(await table.hasOpen(db, deviceId, clock.nowMs()))) throw new NotAllowed('access.missing')"),
  approval('if (!isOfVendor(roles)) return'),
  approval(".where('used_ms', 'is', null)"),
  approval('if (!isServer) units.get(scope, deviceId)', 'if (!isServer) {}'),
  approval('if (device !== undefined) requireKnown(scope, device)\n'),
  approval('uid === ALL_DEVICES ? reader.scope.everything : ', 'uid === ALL_DEVICES || '),
  approval("return isReadable(scope, 'unit', deviceId, device.inventoryId)", 'return true'),
  approval('needsAccessApproval(roles) && channels', 'channels'),
  approval('.some(sees)', '.some(() => true)'),
]

const share = rules(/^fleet\/shares\//, ['fleet/shares', ...tenancy])
const atShares: readonly Rule[] = [
  share('for (const channelId of leaving.channels) requireOffAir(channelId)'),
  share("if (!(await groups.members(scope, group, 'channel')).includes(channelId))", 'if (!channelId)'),
  share('if (!(await publisher(scope, id)).channels.includes(channelId))', 'if (!channelId)'),
  share('if (!(await table.publisherOfKey(db, shareKey))) throw keyRefused()'),
  share("if (folder.root) throw new Conflict('share.rootFolder')"),
  share("if (await table.hasSubscribers(transaction, id)) throw new Conflict('share.folderInUse')"),
  share('some(scope.readsGroup)', 'some(() => true)'),
]

const talkback = rules(/^\w+\/(audio-rooms|interfaces)\//, [
  'programme/audio-rooms',
  'programme/interfaces',
  ...tenancy,
])
const atTalkback: readonly Rule[] = [
  talkback("if (room.participants.length > 0) throw new Conflict('audioRoom.inUse')"),
  talkback("if (room.units?.some((id) => !isOwn(units.values(id)))) throw new NotFound('unit')"),
  talkback("if (room.channels?.some((id) => !isOwn(channels.known(id)))) throw new NotFound('channel')"),
  talkback("if (room.interfaces.some((id) => !known.has(id))) throw new NotFound('ifb')"),
  talkback('session?.userId !== userId || ', '!session || '),
  talkback('if (closed !== undefined) throw new NotAllowed(closed)'),
  talkback('if (channel !== null && closed !== undefined) throw new Conflict(closed)'),
  talkback("if (channels.known(channelId)?.inventoryId !== inventoryId) throw new NotFound('channel')"),
  talkback('await inventories.get(scope, inventoryId)\n'),
]

const inPush: readonly Rule[] = [
  live('isAllowed && '),
  live('topic?.readableBy(reader) ? topic', 'topic ? topic'),
  live('if (name !== topicName(userTopic, reader.userId)) return undefined'),
  pushDoor("if (!rights) return refuseUpgrade(socket, 401, 'Unauthorized')"),
  pushDoor("if (!rights) return reader.close(SIGN_IN_ENDED, 'the sign-in ended')", 'if (!rights) return'),
  pushDoor('for (const name of lost) unfollow(reader, name)'),
  pushDoor(' || ++requestsByTime.requests > requestsPerSecondAtMost'),
  pushDoor("if (reader.rights.signInId === signInId) reader.close(SIGN_IN_ENDED, 'the sign-in ended')"),
  preview("mayDo(caller.roles, 'watchTransmissions') &&"),
  preview("redirect: 'error',"),
  previewKey('.update(serverId)'),
  preview("if (!mayDo(caller.roles, 'watchTransmissions')) throw new NotAllowed()"),
  preview(
    "caller ? serve(caller, request, socket, head) : refuseUpgrade(socket, 401, 'Unauthorized')",
    'serve(caller as never, request, socket, head)',
  ),
  preview('if (session?.caller.userId !== caller.userId)', 'if (!session)'),
]

export const mutants: readonly Rule[] = [
  ...atTheDoor,
  ...atSignIn,
  ...providerMutants,
  ...inScope,
  ...atJoining,
  ...atInvitations,
  ...atServices,
  ...atLicences,
  ...atChannels,
  ...atGates,
  ...atVideoReturn,
  ...atApprovals,
  ...atShares,
  ...settingsMutants,
  ...atTalkback,
  ...unitMutants,
  ...accessMutants,
  ...overlayMutants,
  ...ingestMutants,
  ...inPush,
]
