// Go Live: what a channel collects is forwarded to a stream provider, first unpublished, then public.
import { Conflict, InvalidRequest, NotFound } from '@backhaul/contract/define/errors'
import type { Output } from '@backhaul/contract/gateway/servers'
import type {
  SocialMediaDetails,
  SocialMediaRequest,
  SocialMediaStatus,
  SocialState,
} from '@backhaul/contract/nouns/social-media'
import type { StreamMediaProfile } from '@backhaul/contract/nouns/system-settings'
import type { Database } from '../../database/schema.ts'
import { everything, type Scope } from '../../database/scope.ts'
import type { Sealing } from '../../database/sealing.ts'
import type { Caller } from '../../doors/api/caller.ts'
import type { Channels, SocialStream } from '../../fleet/channels/channels.ts'
import type { Servers } from '../../fleet/servers/servers.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Groups } from '../../people/groups/groups.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Kept, SystemSettings } from '../../platform/system-settings/system-settings.ts'
import type { Events } from '../../world/events.ts'
import { type ChosenStream, findChosen, saveChosen } from './social-media-table.ts'

export interface SocialMedia {
  details(scope: Scope, channelId: string): Promise<SocialMediaDetails>
  /** Throws NotFound for an unknown channel, provider or profile. */
  save(scope: Scope, channelId: string, changes: SocialMediaRequest): Promise<SocialMediaDetails>
  /**
   * Throws NotFound, Conflict where the customer does not have the feature, the unit does not transmit or its server
   * cannot send, and InvalidRequest with the field that is missing.
   */
  go(
    caller: Caller,
    unitId: string,
    groupId: string | undefined,
    changes: SocialMediaRequest,
    state: SocialState,
  ): Promise<SocialMediaStatus>
  /** Throws Conflict where nothing is streamed. */
  stop(scope: Scope, unitId: string, groupId: string | undefined): Promise<void>
  statuses(
    scope: Scope,
    groupId: string,
  ): Promise<{ uid: string; socialMediaStatus: SocialMediaStatus | null }[]>
  mediaProfiles(providerName: string, domain: string | undefined): Promise<Kept<StreamMediaProfile>[]>
}

interface Needs {
  db: Database
  sealing: Sealing
  events: Events
  inventories: Inventories
  groups: Groups
  servers: Servers
  channels: Channels
  units: Units
  systemSettings: SystemSettings
}

/** The output's name on the server. */
const SOCIAL_OUTPUT = 'social'

export function createSocialMedia(needs: Needs): SocialMedia {
  const { db, sealing, events, inventories, groups, servers, channels, units, systemSettings } = needs
  const show = units.provide('socialMediaStatus')
  /** The pairs of a unit and a channel whose status it shows. */
  const shown = new Map<string, string>()

  function statusOf(channelId: string): SocialMediaStatus | null {
    const stream = channels.socialStream(channelId)
    if (!stream) return null
    const { status, provider, title, output } = stream
    const sent = channels.telemetry(channelId)?.outputs.find(({ id }) => id === SOCIAL_OUTPUT)
    const delivery = output === null ? 'none' : sent?.state === 'sending' ? 'sending' : 'connecting'
    return { status, provider, title, delivery }
  }

  function check(channelId: string): void {
    const unitId = channels.socialStream(channelId)?.unitId
    const before = shown.get(channelId)
    if (before !== undefined && before !== unitId) show(before, { socialMediaStatus: null })
    if (unitId === undefined) return void shown.delete(channelId)
    shown.set(channelId, unitId)
    show(unitId, { socialMediaStatus: statusOf(channelId) })
  }

  events.on('device:serverTelemetry', ({ message }) => {
    for (const { channelId } of message.channels) check(channelId)
  })
  events.on('channelChanged', ({ channelId }) => check(channelId))

  async function chosenOf(channelId: string): Promise<ChosenStream> {
    return await findChosen(db, sealing, channelId)
  }

  /** The stored choice with the changes; refused where it names something unknown. */
  async function choose(channelId: string, changes: SocialMediaRequest): Promise<ChosenStream> {
    const before = await chosenOf(channelId)
    const chosen = { ...before, ...changes }
    const providers = await systemSettings.providersWithProfiles()
    const provider = providers.find(({ id }) => id === chosen.provider)
    if (chosen.provider !== null && !provider) throw new NotFound('streamProvider')
    const isThere = (all: readonly { id: string }[] | undefined, id: string) =>
      all?.some((one) => one.id === id) ?? false
    if (chosen.profile !== null && !isThere(provider?.profiles, chosen.profile)) {
      if (changes.profile !== undefined) throw new NotFound('streamProfile')
      chosen.profile = provider?.profiles[0]?.id ?? null
    }
    if (chosen.mediaProfile !== null && !isThere(provider?.mediaProfiles, chosen.mediaProfile)) {
      if (changes.mediaProfile !== undefined) throw new NotFound('streamMediaProfile')
      chosen.mediaProfile = null
    }
    // A key belongs to the account at one provider.
    if (before.provider !== null && before.provider !== chosen.provider) {
      chosen.streamKey = changes.streamKey ?? null
      chosen.previewKey = changes.previewKey ?? null
    }
    if (Object.keys(changes).length > 0) await saveChosen(db, sealing, channelId, chosen)
    return chosen
  }

  async function detailsOf(channelId: string): Promise<SocialMediaDetails> {
    const { streamKey, previewKey, ...chosen } = await chosenOf(channelId)
    const providers = await systemSettings.providersWithProfiles()
    return {
      channelUid: channelId,
      ...chosen,
      hasStreamKey: streamKey !== null,
      hasPreviewKey: previewKey !== null,
      providers: providers.map(({ id, name, icon, profiles, mediaProfiles }) => ({
        id,
        name,
        icon,
        profiles,
        mediaProfiles,
      })),
    }
  }

  /** The channel that the unit sends to. */
  async function channelOf(scope: Scope, unitId: string, groupId: string | undefined): Promise<string> {
    const unit = units.get(scope, unitId)
    if (groupId !== undefined) {
      const members = await groups.members(scope, groupId, 'unit')
      if (!members.includes(unit.uid)) throw new NotFound('unit')
    }
    const closed = await inventories.closed(unit.inventoryId, 'goLive')
    if (closed !== undefined) throw new Conflict(closed)
    const channelId = unit.transmission?.channelId
    if (channelId === undefined) throw new Conflict('unit.notTransmitting')
    return channelId
  }

  /** The output to the provider; refused with the field that is missing. */
  async function streamOf(chosen: ChosenStream, status: SocialState): Promise<SocialStream> {
    for (const field of ['provider', 'profile', 'title', 'streamKey'] as const)
      if (!chosen[field]) throw InvalidRequest.at(field, 'field.required')
    const provider = await systemSettings.streamProviders.get(chosen.provider ?? '')
    const profile = await systemSettings.streamProfiles.get(chosen.profile ?? '')
    const media =
      chosen.mediaProfile === null
        ? undefined
        : await systemSettings.streamMediaProfiles.get(chosen.mediaProfile)
    const key = status === 'live' ? chosen.streamKey : chosen.previewKey
    const { application, secure } = provider
    const scheme = secure ? 'rtmps' : 'rtmp'
    const output: Output = {
      id: SOCIAL_OUTPUT,
      protocol: 'rtmp',
      url: `${scheme}://${media?.domain ?? provider.domain}/${application}/${key}`,
      broadcast: {
        videoKbps: media?.videoBitrate ?? profile.bitRate,
        height: profile.resolution,
        title: chosen.title,
      },
    }
    return { status, provider: provider.name, title: chosen.title, output: key === null ? null : output }
  }

  async function set(channelId: string, unitId: string, stream: SocialStream | null): Promise<void> {
    const change = await db
      .transaction()
      .execute((transaction) => channels.setSocialStream(transaction, channelId, unitId, stream))
    if (!change) throw new Conflict('unit.notTransmitting')
    channels.adopt([change])
    check(channelId)
  }

  return {
    async details(scope, channelId) {
      channels.get(scope, channelId)
      return await detailsOf(channelId)
    },
    async save(scope, channelId, changes) {
      channels.get(scope, channelId)
      await choose(channelId, changes)
      return await detailsOf(channelId)
    },
    async go(caller, unitId, groupId, changes, state) {
      const channelId = await channelOf(caller.scope, unitId, groupId)
      channels.requireJoin(caller, channels.get(everything, channelId))
      const now = channels.socialStream(channelId)?.status
      if (now === 'live') throw new Conflict('socialMedia.live')
      if (state === 'live' && now !== 'preview') throw new Conflict('socialMedia.previewFirst')
      const server = servers.memory(channels.serverOf(channelId) ?? '')
      const { protocolsOut = [], encoders = [] } = server?.actual.capabilities ?? {}
      if (!protocolsOut.includes('rtmp') || !encoders.includes('libx264'))
        throw new Conflict('socialMedia.cannotSend')
      await set(channelId, unitId, await streamOf(await choose(channelId, changes), state))
      return statusOf(channelId) as SocialMediaStatus
    },
    async stop(scope, unitId, groupId) {
      const channelId = await channelOf(scope, unitId, groupId)
      if (!channels.socialStream(channelId)) throw new Conflict('socialMedia.off')
      await set(channelId, unitId, null)
    },
    async statuses(scope, groupId) {
      const members = await units.ofGroup(scope, groupId)
      return members.map(({ uid, socialMediaStatus }) => ({ uid, socialMediaStatus }))
    },
    async mediaProfiles(providerName, domain) {
      const providers = await systemSettings.providersWithProfiles()
      const found = providers.find(({ name }) => name === providerName)?.mediaProfiles ?? []
      return found.filter((one) => domain === undefined || one.domain === domain)
    },
  }
}
