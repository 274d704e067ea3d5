import type { ingest as endpoints } from '@backhaul/contract/api/ingest'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Ingest } from './ingest.ts'

export function ingestRoutes(ingest: Ingest): Handlers<typeof endpoints> {
  return {
    account: ({ caller, params }) => ingest.account(caller.scope, params.id),
    async changeAccount({ caller, params, body, note }) {
      const account = await ingest.changeAccount(caller.scope, params.id, body)
      const { password, ...loggable } = body
      note({ inventoryId: params.id, details: { ...loggable, password: password !== undefined } })
      return account
    },
    async checkPassword({ caller, params, body, address }) {
      await ingest.checkPassword(caller.scope, params.id, body.password, address)
      return { done: true }
    },
    async uploadMapping({ caller, params, body, note }) {
      const account = await ingest.uploadMapping(caller.scope, params.id, body)
      note({ inventoryId: params.id, details: { name: body.name, size: body.content.length } })
      return account
    },
    async removeMapping({ caller, params, note }) {
      const account = await ingest.removeMapping(caller.scope, params.id)
      note({ inventoryId: params.id })
      return account
    },
    servers: ({ caller, params }) => ingest.servers(caller.scope, params.id),
    fieldServers: ({ caller, params }) => ingest.fieldServers(caller.scope, params.id),
    associations: ({ caller, params }) => ingest.associations(caller.scope, params.id),
    async associate({ caller, params, body, note }) {
      const associations = await ingest.associate(caller.scope, params.id, body.associations)
      note({ inventoryId: params.id, details: body })
      return associations
    },
    ofChannel: ({ caller, params }) => ingest.ofChannel(caller.scope, params.id),
    channels: ({ caller, params }) => ingest.channels(caller.scope, params.id),
    channelsOfInventory: ({ caller, params }) => ingest.channels(caller.scope, params.id, params.inv),
  }
}
