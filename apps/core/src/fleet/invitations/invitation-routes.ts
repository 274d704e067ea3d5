import type { invitations as endpoints } from '@backhaul/contract/api/invitations'
import { InvalidRequest } from '@backhaul/contract/define/errors'
import type { AdhocMode } from '@backhaul/contract/nouns/invitations'
import { joinPath } from '@backhaul/contract/nouns/open-paths'
import type { Call, Handlers } from '../../doors/api/bind.ts'
import type { Groups } from '../../people/groups/groups.ts'
import type { Invitations } from './invitations.ts'

/** A field that may be in the query or in the body has to be in one of them. */
function requireField<T>(field: string, value: T | undefined): T {
  if (value === undefined) throw InvalidRequest.at(field, 'field.required')
  return value
}

type Sending = Pick<Call<typeof endpoints.email>, 'caller' | 'params' | 'body' | 'publicOrigin' | 'note'>

export function invitationRoutes(invitations: Invitations, groups: Groups): Handlers<typeof endpoints> {
  const send =
    (kind: 'email' | 'sms') =>
    async ({ caller, params: { currentGroup }, body, publicOrigin, note }: Sending) => {
      const { inventoryId } = await invitations.send(caller, currentGroup, kind, body, publicOrigin)
      const { recipients, period } = body
      note({ objectId: currentGroup, inventoryId, details: { recipients, period } })
      return { done: true, isConnected: invitations.isConnected(kind) } as const
    }
  const adhoc = (mode: AdhocMode, given: AdhocMode) => ({
    mode,
    isConnected: given === 'link' || (given !== 'off' && invitations.isConnected(given)),
  })
  return {
    async adhoc({ caller, params, query }) {
      const { adhocMode } = await groups.get(caller.scope, params.currentGroup)
      return adhoc(adhocMode, query.mode ?? adhocMode)
    },
    async setAdhoc({ caller, params, query, body, note }) {
      const mode = requireField('mode', body.mode ?? query.mode)
      const { inventoryId } = await groups.setAdhocMode(caller.scope, params.currentGroup, mode)
      note({ inventoryId, details: { mode } })
      return adhoc(mode, mode)
    },
    permanent: ({ caller, params }) => groups.keys.of(caller.scope, params.currentGroup),
    async setPermanent({ caller, params, query, body, note }) {
      const given = [body.regenerate, query.regenerate].filter((one) => one !== undefined)
      requireField('regenerate', given[0])
      const schedule = given.find((one) => one !== true && one !== 'true')
      const isNew = given.some((one) => one === true || one === 'true')
      const changes = { isNew, schedule }
      const { inventoryId, ...key } = await groups.keys.change(caller.scope, params.currentGroup, changes)
      // The key itself is in no log.
      note({ inventoryId, details: { isNew, ...(schedule && { schedule }) } })
      return key
    },
    async create({ caller, params, body, publicOrigin, note }) {
      const invited = await invitations.create(caller, params.currentGroup, body.period)
      const expiresAt = new Date(invited.expiresMs).toISOString()
      note({
        objectId: params.currentGroup,
        inventoryId: invited.inventoryId,
        details: { ...body, expiresAt },
      })
      return { code: invited.code, expiresAt, link: publicOrigin + joinPath(invited.code) }
    },
    email: send('email'),
    sms: send('sms'),
    async removeUnit({ caller, params, note }) {
      const { group, id: objectId } = params
      const { inventoryId } = await invitations.removeUnit(caller.scope, group, objectId)
      note({ objectKind: 'units', objectId, inventoryId, details: { group } })
      return { done: true }
    },
    look: ({ body, address }) => invitations.look(body.code, address),
  }
}
