// Share links: the picture of a video return channel for those who have the link, until it expires or is ended.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { Conflict, InvalidRequest, NotFound } from '@backhaul/contract/define/errors'
import { because, reasonFields } from '@backhaul/contract/define/refusals'
import { sharedReturnPath } from '@backhaul/contract/nouns/open-paths'
import { sharedStreamPath } from '@backhaul/contract/nouns/previews'
import {
  type NewShareLink,
  type SeenShareLink,
  SHARE_LINK_VIEWERS_AT_MOST,
  SHARE_LINKS_AT_MOST,
  type ShareLink,
  type ShareLinkChange,
  shareLinkState,
} from '@backhaul/contract/nouns/video-return-links'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import type { Sealing } from '../../database/sealing.ts'
import { hashSecret } from '../../database/secrets.ts'
import type { Api } from '../../doors/api/api.ts'
import type { Caller } from '../../doors/api/caller.ts'
import { createLoginRateLimit } from '../../doors/api/login-rate-limit.ts'
import { refuseUpgrade } from '../../doors/api/upgrades.ts'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { Previews } from '../../fleet/previews/previews.ts'
import type { VideoReturn } from '../video-return/video-return.ts'
import { createLinkViewers } from './link-viewers.ts'
import * as table from './share-link-table.ts'

/** Everything with a scope throws NotFound for a channel that the caller does not administer, and for an unknown link. */
export interface VideoReturnLinks {
  list(scope: Scope, channelId: string, origin: string): Promise<ShareLink[]>
  /** Throws InvalidRequest for a start that is over, Conflict when the channel has ten links. */
  create(caller: Caller, channelId: string, link: NewShareLink, origin: string): Promise<ChangedLink>
  change(
    scope: Scope,
    channelId: string,
    linkId: string,
    change: ShareLinkChange,
    origin: string,
  ): Promise<ChangedLink>
  remove(
    scope: Scope,
    channelId: string,
    linkId: string,
  ): Promise<{ inventoryId: string; description: string }>
  /** Throws NotFound for an unknown token, TooMany for an address that guesses. */
  look(token: string, address: string): Promise<SeenShareLink>
  bind(api: Api): void
  stop(): void
}

interface ChangedLink {
  link: ShareLink
  inventoryId: string
}

interface Needs {
  db: Database
  clock: Clock
  log: Log
  sealing: Sealing
  channels: Channels
  previews: Previews
  videoReturn: VideoReturn
}

/** The time that a page has to connect to the stream. */
const ticketLastsMs = 30_000
const ticketOwner = 'share link ticket'
const streamPath = /^\/preview\/shared\/([\w-]{1,200})\/stream$/
const minuteMs = 60_000

export function createVideoReturnLinks(needs: Needs): VideoReturnLinks {
  const { db, clock, log, sealing, channels, previews, videoReturn } = needs
  const attempts = createLoginRateLimit({ db, clock }, 'shareLinks')
  const isOpen = async (linkId: string) => {
    const link = await table.linkBy(db, 'id', linkId)
    return link !== undefined && shareLinkState(link, clock.nowMs()) === 'open'
  }
  const viewers = createLinkViewers({ clock, log, isOpen })

  const administered = async (scope: Scope, channelId: string) =>
    await videoReturn.administration.one(scope, channelId)

  function shown(link: table.StoredLink, origin: string): ShareLink {
    const token = sealing.open(link.token, link.id) ?? ''
    return {
      id: link.id,
      description: link.description,
      startsAt: new Date(link.startsMs).toISOString(),
      endsAt: new Date(link.endsMs).toISOString(),
      durationMinutes: Math.round((link.endsMs - link.startsMs) / minuteMs),
      active: link.active,
      state: shareLinkState(link, clock.nowMs()),
      url: origin + sharedReturnPath(token),
      viewers: viewers.of(link.id),
      createdBy: link.createdBy,
      createdAt: new Date(link.createdMs).toISOString(),
    }
  }

  function requireFuture(startsAt: string): number {
    const startsMs = Date.parse(startsAt)
    if (startsMs <= clock.nowMs()) throw InvalidRequest.at('startsAt', 'date.inFuture')
    return startsMs
  }

  async function known(scope: Scope, channelId: string, linkId: string) {
    const { inventoryId } = await administered(scope, channelId)
    const link = await table.link(db, channelId, linkId)
    if (!link) throw new NotFound('shareLink')
    return { link, inventoryId }
  }

  async function seen(link: table.StoredLink): Promise<SeenShareLink> {
    const state = shareLinkState(link, clock.nowMs())
    const channel = channels.known(link.channelId)
    const closed = await previews.shared.refusal(link.channelId)
    const why = state !== 'open' ? undefined : (closed ?? pictureOf(channel?.status))
    const ticket = sealing.seal(`${link.id} ${clock.nowMs() + ticketLastsMs}`, ticketOwner)
    return {
      description: link.description,
      channelName: channel?.name ?? '',
      state,
      startsAt: new Date(link.startsMs).toISOString(),
      endsAt: new Date(link.endsMs).toISOString(),
      stream: state === 'open' && why === undefined ? sharedStreamPath(ticket) : null,
      ...reasonFields(why),
    }
  }

  /** The link that a ticket is for, while it lasts and the link is open. */
  async function admitted(ticket: string): Promise<table.StoredLink | undefined> {
    const [linkId = '', untilMs] = sealing.open(ticket, ticketOwner)?.split(' ') ?? []
    if (clock.nowMs() > Number(untilMs ?? 0)) return undefined
    const link = await table.linkBy(db, 'id', linkId)
    return link && shareLinkState(link, clock.nowMs()) === 'open' ? link : undefined
  }

  async function watch(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const ticket = streamPath.exec(request.url?.split('?')[0] ?? '')?.[1] ?? ''
    const link = await admitted(ticket)
    if (!link) return refuseUpgrade(socket, 404, 'Not Found')
    if ((await previews.shared.refusal(link.channelId)) !== undefined)
      return refuseUpgrade(socket, 503, 'Service Unavailable')
    if (viewers.of(link.id) >= SHARE_LINK_VIEWERS_AT_MOST)
      return refuseUpgrade(socket, 503, 'Service Unavailable')
    const viewer = { linkId: link.id, end: () => socket.destroy() }
    viewers.add(viewer)
    previews.shared.join(request, socket, head, link.channelId, () => viewers.delete(viewer))
    log.info({ link: link.id, channel: link.channelId }, 'share link watched')
  }

  return {
    async list(scope, channelId, origin) {
      await administered(scope, channelId)
      return (await table.linksOf(db, channelId)).map((link) => shown(link, origin))
    },
    async create({ scope, username }, channelId, { description, startsAt, durationMinutes }, origin) {
      const { inventoryId } = await administered(scope, channelId)
      const startsMs = requireFuture(startsAt)
      const token = randomBytes(24).toString('base64url')
      const id = `sl-${randomBytes(9).toString('base64url')}`
      const link: table.StoredLink = {
        id,
        channelId,
        description,
        tokenHash: hashSecret(token),
        token: sealing.seal(token, id),
        startsMs,
        endsMs: startsMs + durationMinutes * minuteMs,
        active: true,
        createdBy: username,
        createdMs: clock.nowMs(),
      }
      await db.transaction().execute(async (transaction) => {
        await table.deleteExpired(transaction, channelId, clock.nowMs())
        await table.insertLink(transaction, link)
        if ((await table.countLinks(transaction, channelId)) > SHARE_LINKS_AT_MOST)
          throw new Conflict(because('shareLink.tooMany', { most: SHARE_LINKS_AT_MOST }))
      })
      return { link: shown(link, origin), inventoryId }
    },
    async change(scope, channelId, linkId, change, origin) {
      const { link: before, inventoryId } = await known(scope, channelId, linkId)
      const startsMs = change.startsAt === undefined ? before.startsMs : requireFuture(change.startsAt)
      const lastsMs =
        change.durationMinutes === undefined
          ? before.endsMs - before.startsMs
          : change.durationMinutes * minuteMs
      const link: table.StoredLink = {
        ...before,
        description: change.description ?? before.description,
        active: change.active ?? before.active,
        startsMs,
        endsMs: startsMs + lastsMs,
      }
      await table.updateLink(db, link)
      if (shareLinkState(link, clock.nowMs()) !== 'open') viewers.endOf(linkId)
      return { link: shown(link, origin), inventoryId }
    },
    async remove(scope, channelId, linkId) {
      const { link, inventoryId } = await known(scope, channelId, linkId)
      await table.deleteLink(db, linkId)
      viewers.endOf(linkId)
      return { inventoryId, description: link.description }
    },
    async look(token, address) {
      const link = await table.linkBy(db, 'token_hash', hashSecret(token))
      if (link) return await seen(link)
      // Pages read this every few seconds: only guesses are counted.
      await attempts.take({ address })
      throw new NotFound('shareLink')
    },
    bind(api) {
      api.upgrades.onMatch(streamPath, (request, socket, head) => {
        watch(request, socket, head).catch((error) => {
          log.error(error, 'share link: admitting a socket failed')
          refuseUpgrade(socket, 500, 'Internal Server Error')
        })
      })
    },
    stop: viewers.stop,
  }
}

/** Why a channel in this state has no picture to show. */
const pictureOf = (status: string | undefined) =>
  status === undefined || status === 'offline'
    ? ('preview.serverOffline' as const)
    : status === 'idle'
      ? ('videoReturn.noPicture' as const)
      : undefined
