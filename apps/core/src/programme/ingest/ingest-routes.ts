import type { ingest as endpoints } from '@backhaul/contract/api/ingest'
import type { Handlers } from '../../doors/api/bind.ts'
import type { Ingest } from './ingest.ts'

/** The mapping file is tested by the feature that applies it. */
export function ingestRoutes(ingest: Ingest): Handlers<Omit<typeof endpoints, 'testMapping'>> {
  const { accounts } = ingest
  return {
    account: ({ caller, params }) => accounts.account(caller.scope, params.id),
    async changeAccount({ caller, params, body, address, note }) {
      const account = await accounts.changeAccount(caller.scope, params.id, body, address)
      const { password, confirmation: _, ...loggable } = body
      note({ inventoryId: params.id, details: { ...loggable, password: password !== undefined } })
      return account
    },
    async checkPassword({ caller, params, body, address }) {
      await accounts.checkPassword(caller.scope, params.id, body.password, address)
      return { done: true }
    },
    async uploadMapping({ caller, params, body, note }) {
      const account = await accounts.uploadMapping(caller.scope, params.id, body)
      note({ inventoryId: params.id, details: { name: body.name, size: body.content.length } })
      return account
    },
    async removeMapping({ caller, params, note }) {
      const account = await accounts.removeMapping(caller.scope, params.id)
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
