// Settings of a channel for what comes to it and what its server sends on.

import { Conflict, NotFound } from '@backhaul/contract/define/errors'
import type { AdministeredChannel } from '@backhaul/contract/nouns/channel-administration'
import type { ChannelDetails } from '@backhaul/contract/nouns/channels'
import { type ChannelFfmpeg, optionsOf } from '@backhaul/contract/nouns/ffmpeg-settings'
import type { Database, DatabaseTransaction } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { Servers } from '../servers/servers.ts'
import type { ChannelAdministration } from './channel-administration.ts'
import type { ChannelChange, ChannelChanges } from './channel-change.ts'
import { holdChannel, saveSettings } from './channel-table.ts'

/** A channel of another customer than the caller's is treated like one that does not exist. */
export interface ChannelSettings {
  ffmpeg(scope: Scope, id: string): Promise<ChannelFfmpeg>
  /** Throws Conflict when its server cannot encode what is set. */
  setFfmpeg(scope: Scope, id: string, requested: ChannelFfmpeg): Promise<ChannelFfmpeg>
  setPrivateSession(scope: Scope, id: string, privateSession: boolean): Promise<AdministeredChannel>
}

export interface ChannelLimits {
  /** Sets the limit of a channel that was found; adopt it after the commit. Throws NotFound when the channel is gone. */
  setLimit(transaction: DatabaseTransaction, id: string, bandwidthLimit: number): Promise<ChannelChange>
}

interface Needs extends Pick<ChannelChanges, 'changeOf' | 'adopt'> {
  db: Database
  servers: Servers
  administration: ChannelAdministration
}

async function saveDetails(
  { changeOf }: Pick<ChannelChanges, 'changeOf'>,
  transaction: DatabaseTransaction,
  id: string,
  changes: Partial<ChannelDetails>,
): Promise<ChannelChange> {
  const held = await holdChannel(transaction, id)
  const details = { ...held?.settings.details, ...changes }
  const change = await changeOf(transaction, held && (await saveSettings(transaction, held, { details })))
  if (!change) throw new NotFound('channel')
  return change
}

export const createChannelLimits = (needs: Pick<ChannelChanges, 'changeOf'>): ChannelLimits => ({
  setLimit: (transaction, id, bandwidthLimit) => saveDetails(needs, transaction, id, { bandwidthLimit }),
})

export function createChannelSettings(needs: Needs): ChannelSettings {
  const { db, servers, administration, adopt } = needs

  async function change(id: string, changes: Partial<ChannelDetails>): Promise<void> {
    adopt([await db.transaction().execute((transaction) => saveDetails(needs, transaction, id, changes))])
  }

  /** The members of a group channel have these settings, not the group channel itself. */
  async function single(scope: Scope, id: string): Promise<AdministeredChannel> {
    const channel = await administration.one(scope, id)
    if (channel.kind === 'GROUP_CHANNEL') throw new Conflict('channel.groupPart')
    return channel
  }

  function requireEncoders(serverId: string, { ffmpegSettings, ffmpegOverride }: ChannelFfmpeg): void {
    const encoders = servers.memory(serverId)?.actual.capabilities?.encoders ?? []
    const needed = [
      ...(optionsOf(ffmpegSettings, 'picture').length > 0 ? ['libx264'] : []),
      ...(optionsOf(ffmpegSettings, 'sound').length > 0 ? ['aac'] : []),
    ]
    if (ffmpegOverride && !needed.every((name) => encoders.includes(name)))
      throw new Conflict('server.cannotEncode')
  }

  return {
    async ffmpeg(scope, id) {
      const { ffmpegSettings, ffmpegOverride } = await administration.one(scope, id)
      return { ffmpegSettings, ffmpegOverride }
    },
    async setFfmpeg(scope, id, requested) {
      requireEncoders((await single(scope, id)).serverId, requested)
      await change(id, requested)
      return requested
    },
    async setPrivateSession(scope, id, privateSession) {
      await single(scope, id)
      await change(id, { privateSession })
      return await administration.one(scope, id)
    },
  }
}
