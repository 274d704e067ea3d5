// Checks at the limits of rights: when they expire, and when their object is given to others.
import { type Rule, rules } from './mutant-rules.ts'

const signIn = rules(/^people\/sign-ins\/sign-ins\.ts$/, ['people/sign-ins/sign-ins.test.ts'])
const user = rules(/^people\/users\/administration\.ts$/, ['people/users/administration.test.ts'])
const address = rules(/^doors\/(source-address|failure-limit)\.ts$/, [
  'doors/source-address.test.ts',
  'fleet/invitations',
])
const ingest = rules(/^programme\/ingest\/ingest-accounts\.ts$/, ['programme/ingest'])
const viewer = rules(/^fleet\/previews\//, ['fleet/previews/previews.test.ts'])
const link = rules(/^programme\/video-return-links\//, ['programme/video-return-links'])
const share = rules(/^fleet\/shares\/shares\.ts$/, ['fleet/shares'])
const push = rules(/^(doors\/push\/push|program\/sockets)\.ts$/, ['doors/push/push.test.ts'])
const moved = rules(
  /^\w+\/(device-administration|units|stories|device-logs|ai-sessions|telemetry|unit-files|audit)\//,
  ['fleet/device-administration/moved-units.test.ts'],
)

const approved = rules(/^(fleet\/upgrades\/upgrades|transmission\/device-logs\/device-logs)\.ts$/, [
  'fleet/access-approvals',
])

export const accessMutants: readonly Rule[] = [
  signIn('if (!shutOut.has(person.id)) return proof', 'return proof'),
  user('if (isSuperUser(user)) await requireSuperUser(transaction, requested)\n'),
  user('if (isSuperUser(user)) await requireSuperUser(transaction, { ...user, roles: [] })\n'),
  user('requireChangeable(caller, held, change)\n'),
  user('const changed = applied(held, change)\n', 'const changed = requested\n'),
  address('.slice(0, 4)'),
  address('const line = lineOf(from)', 'const line = from'),
  ingest(
    'const takeBack = await attempts.take({ account: inventoryId, address })',
    'const takeBack = () => {}',
  ),
  viewer("events.on('signInEnded', ({ signInId }) => endWhere((caller) => caller.signInId === signInId))\n"),
  viewer("events.on('userScopeChanged', ({ userId }) => endWhere((caller) => caller.userId === userId))\n"),
  viewer('channelId !== undefined && !(await maySee(caller, channelId))', 'false'),
  viewer("if (!viewers.has(session)) throw new NotFound('channel')\n"),
  link('if (clock.nowMs() > Number(untilMs ?? 0)) return undefined\n'),
  link('if (!(await isOpen(linkId))) endOf(linkId)'),
  share('await table.unshareWhatLeft(db)\n'),
  share("events.on('membersLeft', rereadSoon)\n"),
  push('before === changes ? rights : await rightsOf(request_)', 'before === -1 ? undefined : rights'),
  push("events.on('deviceMoved', () => void push.recheck())\n"),
  moved("await db.deleteFrom('story_units').where('unit_id', '=', unitId).execute()\n"),
  moved("await db.deleteFrom('access_approvals').where('device_id', '=', unitId).execute()\n"),
  moved(".where('at_ms', '>=', since)\n"),
  moved(".where('started_ms', '>=', sinceMs)\n"),
  moved(" || Number(known.started_ms) < units.sinceMs(known.unit_id ?? '')"),
  moved('graphSince(kept, units.sinceMs(unitId), range)', 'graphSince(kept, 0, range)'),
  moved('startedAt >= units.sinceMs(unitId)', 'startedAt > 0'),
  moved("isHidden(entry.objectId ?? '') ? null : "),
  approved('      await accessApprovals.require(caller, deviceId)\n'),
  approved('await requireAccess(caller, unitId)\n'),
  approved('await requireAccess(caller, serverOf(channelId))\n'),
  approved('if (includeChannel) await requireAccess(caller, serverOf(unit.channelId))\n'),
  approved('await requireAccess(caller, known.device_id)\n'),
]
