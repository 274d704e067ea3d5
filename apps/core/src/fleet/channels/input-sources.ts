// The sources from which the server of an input channel fetches its picture: stored with the channel, sent to its server.
import { randomBytes } from 'node:crypto'
import { Conflict, NotFound } from '@backhaul/contract/define/errors'
import { because } from '@backhaul/contract/define/refusals'
import type { AdministeredChannel } from '@backhaul/contract/nouns/channel-administration'
import { encoderInputs } from '@backhaul/contract/nouns/channels'
import { INPUT_SOURCES_MAX, type InputSourceRequest, schemeOf } from '@backhaul/contract/nouns/input-sources'
import { hostOf, isOwnHost } from '@backhaul/runtime/own-network'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { Servers } from '../servers/servers.ts'
import type { ChannelAdministration } from './channel-administration.ts'
import type { ChannelChanges } from './channel-change.ts'
import { holdChannel, type StoredSource, saveSettings } from './channel-table.ts'

/** A channel of another customer than the caller's is treated like one that does not exist. */
export interface InputSources {
  /** Behind the present ones. Throws Conflict for a channel that no encoder sends to, or a server that cannot fetch it. */
  add(scope: Scope, id: string, source: InputSourceRequest): Promise<AdministeredChannel>
  remove(scope: Scope, id: string, sourceId: string): Promise<AdministeredChannel>
}

interface Needs extends Pick<ChannelChanges, 'changeOf' | 'adopt'> {
  db: Database
  servers: Servers
  /** Whether an address may be in the network of the operator. */
  mayStreamToOwnNetwork: boolean
  administration: ChannelAdministration
}

export function createInputSources(needs: Needs): InputSources {
  const { db, servers, mayStreamToOwnNetwork, administration, changeOf, adopt } = needs

  async function change(
    scope: Scope,
    id: string,
    next: (sources: readonly StoredSource[]) => StoredSource[],
  ): Promise<AdministeredChannel> {
    const changed = await db.transaction().execute(async (transaction: DatabaseTransaction) => {
      const held = await holdChannel(transaction, id)
      if (!held) throw new NotFound('channel')
      const sources = next(held.settings.sources ?? [])
      return await changeOf(transaction, await saveSettings(transaction, held, { sources }))
    })
    adopt([changed])
    return await administration.one(scope, id)
  }

  function requireAbility({ serverId, inputType }: AdministeredChannel, url: string): void {
    if (!encoderInputs.some((one) => one === inputType)) throw new Conflict('source.inputsOnly')
    const scheme = schemeOf(url) ?? 'srt'
    const { sources = [] } = servers.memory(serverId)?.actual.capabilities ?? {}
    if (!sources.includes(scheme))
      throw Conflict.at('url', because('server.cannotReceive', { input: scheme.toUpperCase() }))
    if (!mayStreamToOwnNetwork && isOwnHost(hostOf(url)) === true)
      throw Conflict.at('url', 'source.ownNetwork')
  }

  return {
    async add(scope, id, source) {
      requireAbility(await administration.one(scope, id), source.url)
      return await change(scope, id, (before) => {
        if (before.length >= INPUT_SOURCES_MAX)
          throw new Conflict(because('source.full', { most: INPUT_SOURCES_MAX }))
        if (before.some(({ url }) => url === source.url)) throw Conflict.at('url', 'field.notUnique')
        return [...before, { id: `so-${randomBytes(9).toString('base64url')}`, ...source }]
      })
    },
    async remove(scope, id, sourceId) {
      await administration.one(scope, id)
      return await change(scope, id, (before) => {
        if (!before.some((one) => one.id === sourceId)) throw new NotFound('source')
        return before.filter((one) => one.id !== sourceId)
      })
    },
  }
}
