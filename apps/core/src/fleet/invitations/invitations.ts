// Invitations: codes that admit a unit to a group for some days, shown to their maker or sent by e-mail or SMS.
import { Conflict, NotFound, TooMany } from '@backhaul/contract/define/errors'
import {
  type InvitationEmail,
  type InvitationPeriod,
  invitationPeriodMs,
  type SeenInvitation,
} from '@backhaul/contract/nouns/invitations'
import { joinPath } from '@backhaul/contract/nouns/open-paths'
import type { MailKind } from '@backhaul/contract/nouns/outbox'
import { productOf } from '@backhaul/contract/nouns/products'
import type { Clock } from '@backhaul/runtime/clock'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import { createFailureLimit } from '../../doors/failure-limit.ts'
import type { Groups } from '../../people/groups/groups.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { DeviceAdministration } from '../device-administration/device-administration.ts'
import type { Devices } from '../devices/devices.ts'
import type { Units } from '../units/units.ts'

export interface Invited {
  inventoryId: string
  code: string
  expiresMs: number
}

interface Inviter {
  scope: Scope
  userId: string
}

export interface Invitations {
  /** Throws NotFound for a group outside the caller's scope, Conflict for one where invitations are off. */
  create(inviter: Inviter, groupId: string, period: InvitationPeriod): Promise<Invited>
  /** All e-mails or none: they are stored together. `origin` is where the console is. */
  send(
    inviter: Inviter,
    groupId: string,
    kind: MailKind,
    email: InvitationEmail,
    origin: string,
  ): Promise<{ inventoryId: string }>
  /** Whether a server is set up for this way of sending. */
  isConnected(kind: MailKind): boolean
  /**
   * Removes a smart unit from the group. Throws NotFound for one that is not in it, Conflict for a unit of another kind and
   * for a busy one. The machine of one without another group needs a new code to come back.
   */
  removeUnit(scope: Scope, groupId: string, unitId: string): Promise<{ inventoryId: string }>
  /** The invitation as shown to the holder of its code; throws NotFound, and TooMany for an address that guesses. */
  look(code: string, address: string): Promise<SeenInvitation>
}

interface Needs {
  db: Database
  clock: Clock
  ages: Clock
  groups: Groups
  devices: Devices
  units: Units
  deviceAdministration: DeviceAdministration
  outbox: Outbox
}

const limitS = 60

export function createInvitations(needs: Needs): Invitations {
  const { db, clock, groups, devices, units, deviceAdministration, outbox } = needs
  const { pairing, memberships } = devices
  const guesses = createFailureLimit({ db, clock: needs.ages }, 'invitation')

  async function find(code: string): Promise<SeenInvitation | undefined> {
    const found = await pairing.read(code)
    const group = found && (await groups.find(found.groupId))
    if (!found || !group) return undefined
    const isOver = clock.nowMs() >= found.expiresMs
    return {
      group: group.name,
      state: found.isUsed ? 'used' : isOver ? 'expired' : 'open',
      expiresAt: new Date(found.expiresMs).toISOString(),
    }
  }

  async function inviting(scope: Scope, groupId: string) {
    const group = await groups.get(scope, groupId)
    if (group.adhocMode === 'off') throw new Conflict('invitation.off')
    return group
  }

  return {
    async create({ scope, userId }, groupId, period) {
      const { id, inventoryId } = await inviting(scope, groupId)
      return { inventoryId, ...(await pairing.make(id, userId, invitationPeriodMs[period])) }
    },
    async send({ scope, userId }, groupId, kind, { recipients, period, text }, origin) {
      const { id, inventoryId, name } = await inviting(scope, groupId)
      const write = kind === 'sms' ? smsText : emailText
      await db.transaction().execute(async (transaction) => {
        const each = [...new Set(recipients)]
        const ttlMs = invitationPeriodMs[period]
        const codes = await pairing.makeSeveral(transaction, each.length, id, userId, ttlMs)
        for (const [at, { code, expiresMs }] of codes.entries()) {
          const words = { group: name, text, code, expiresMs, link: origin + joinPath(code) }
          const [recipient = '', subject] = [each[at], `Invitation to ${name}`]
          await outbox.post({ kind, inventoryId, recipient, subject, text: write(words) }, transaction)
        }
      })
      return { inventoryId }
    },
    async removeUnit(scope, groupId, unitId) {
      await groups.get(scope, groupId)
      const unit = units.get(scope, unitId)
      const ofUnit = memberships.groupsOf('unit', unitId)
      if (!ofUnit.includes(groupId)) throw new NotFound('unit')
      if (productOf(unit.type).group !== 'smartUnits') throw new Conflict('unit.notSmart')
      if (unit.busy) throw new Conflict('unit.busy')
      const isKnown = devices.get(unitId)?.details.deregisteredMs === undefined
      if (ofUnit.length === 1 && isKnown) await deviceAdministration.units.deregister(scope, unitId)
      const notify = await db
        .transaction()
        .execute((transaction) => groups.leave(transaction, groupId, 'unit', unitId))
      notify()
      return { inventoryId: unit.inventoryId }
    },
    isConnected: outbox.isConnected,
    async look(code, address) {
      const guess = await guesses.enter(address)
      if (!guess) throw new TooMany(limitS)
      let hasFailed = false
      try {
        const found = await find(code)
        if (!(await guess.mayProceed())) throw new TooMany(limitS)
        hasFailed = !found
        if (!found) throw new NotFound('invitation')
        return found
      } finally {
        await guess.end(hasFailed)
      }
    },
  }
}

interface Words {
  group: string
  text: string
  code: string
  expiresMs: number
  link: string
}

const emailText = ({ group, text, code, expiresMs, link }: Words): string =>
  [
    ...(text === '' ? [] : [text, '']),
    `Your unit can join the group ${group}.`,
    `Pairing code: ${code}`,
    `How to enter it: ${link}`,
    `It admits one unit until ${new Date(expiresMs).toUTCString()}.`,
  ].join('\n')

/** Short, because every 160 characters are charged. */
const smsText = ({ group, text, code, expiresMs, link }: Words): string =>
  [
    ...(text === '' ? [] : [text]),
    `${group}: code ${code} until ${new Date(expiresMs).toISOString().slice(0, 16).replace('T', ' ')} UTC. ${link}`,
  ].join('\n')
