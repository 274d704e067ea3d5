// Previews: pictures of channels on core's own origin, behind the sign-in, from whichever server shows the channel.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { mayDo } from '@backhaul/contract/define/actions'
import type { PlainCode } from '@backhaul/contract/define/refusals'
import { WALL_PATH } from '@backhaul/contract/nouns/previews'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Scope } from '../../database/scope.ts'
import type { Api } from '../../doors/api/api.ts'
import type { Caller } from '../../doors/api/caller.ts'
import { refuseUpgrade, type UpgradeHandler } from '../../doors/api/upgrades.ts'
import type { Groups } from '../../people/groups/groups.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Events } from '../../world/events.ts'
import type { Channels } from '../channels/channels.ts'
import type { Devices } from '../devices/devices.ts'
import type { Servers } from '../servers/servers.ts'
import { createExternalPreviews, type IceSettings } from './external-previews.ts'
import { createPreviewGate } from './preview-gate.ts'
import { servePictures } from './preview-pictures.ts'
import { placeOf } from './preview-place.ts'
import { joinStream } from './preview-stream.ts'
import { createViewers } from './preview-viewers.ts'
import { serveWall } from './preview-wall.ts'

export type { IceSettings } from './external-previews.ts'

export type Previews = ReturnType<typeof createPreviews>

interface Needs {
  clock: Clock
  log: Log
  events: Events
  inventories: Inventories
  groups: Groups
  ice: IceSettings
  channels: Channels
  servers: Servers
  devices: Devices
  /** Whether a group of the caller may see the channel of another customer. */
  isSharedWith(scope: Scope, channelId: string): boolean
}

const streamPath = /^\/preview\/([^/]+)\/stream$/

export function createPreviews(needs: Needs) {
  const { clock, log, events, inventories, channels, servers, devices, isSharedWith } = needs
  const walls = new WebSocketServer({ noServer: true, maxPayload: 16 * 1024, perMessageDeflate: false })
  const { signed } = devices
  const find = (channelId: string) => placeOf({ channels, servers, devices }, channelId)
  const closed = createPreviewGate({ clock, inventories })
  const isReadable = (scope: Scope, channelId: string) =>
    channels.find(scope, channelId)?.uniqueId === channelId || isSharedWith(scope, channelId)
  const isAdmitted = (caller: Caller, channelId: string) => {
    const channel = channels.known(channelId)
    return channel !== undefined && channels.mayJoin(caller, channel)
  }
  const mayRead = (caller: Caller, channelId: string) =>
    mayDo(caller.roles, 'watchTransmissions') &&
    isReadable(caller.scope, channelId) &&
    isAdmitted(caller, channelId)
  const isOpen = async (channelId: string) => {
    const channel = channels.known(channelId)
    return channel !== undefined && (await closed(channel.inventoryId)) === undefined
  }

  const maySee = async (caller: Caller, channelId: string) =>
    mayRead(caller, channelId) && (await isOpen(channelId))
  const viewers = createViewers({ clock, log, events, maySee })

  async function stream(
    caller: Caller,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): Promise<void> {
    const path = request.url?.split('?')[0] ?? ''
    const channelId = decoded(streamPath.exec(path)?.[1] ?? '')
    const isAllowed = mayRead(caller, channelId)
    if (isAllowed && !(await isOpen(channelId))) return refuseUpgrade(socket, 403, 'Forbidden')
    const place = isAllowed ? find(channelId) : undefined
    if (!place) {
      refuseUpgrade(socket, isAllowed ? 503 : 404, isAllowed ? 'Service Unavailable' : 'Not Found')
      return
    }
    const viewer = { caller, channelId, end: () => socket.destroy() }
    viewers.add(viewer)
    joinStream(request, socket, head, place, signed, () => viewers.delete(viewer))
  }

  function wall(caller: Caller, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    walls.handleUpgrade(request, socket, head, (browser: WebSocket) => {
      const viewer = { caller, end: () => browser.close(4401, 'the sign-in ended') }
      viewers.add(viewer)
      browser.on('close', () => viewers.delete(viewer))
      serveWall(browser, {
        clock,
        log,
        signed,
        placeOf: find,
        mayShow: (id) => maySee(caller, id),
      })
    })
  }

  return {
    /** Previews for users who may see a channel by another right than a sign-in; those who gave it check it. */
    shared: {
      /** Why it cannot be seen now. */
      async refusal(channelId: string): Promise<PlainCode | undefined> {
        const channel = channels.known(channelId)
        if (!channel) return 'preview.serverOffline'
        const reason = await closed(channel.inventoryId)
        return reason ?? (find(channelId) ? undefined : 'preview.serverOffline')
      },
      /** Passes the stream on; `onEnd` is called once. */
      join(
        request: IncomingMessage,
        socket: Duplex,
        head: Buffer,
        channelId: string,
        onEnd: () => void,
      ): void {
        const place = find(channelId)
        if (place) joinStream(request, socket, head, place, signed, onEnd)
        else {
          refuseUpgrade(socket, 503, 'Service Unavailable')
          onEnd()
        }
      },
    },
    external: createExternalPreviews({
      ...needs,
      closed,
      isShown: (channelId) => find(channelId) !== undefined,
    }),
    bind(api: Api): void {
      type Serve = (caller: Caller, ...upgrade: Parameters<UpgradeHandler>) => void | Promise<void>
      const guarded =
        (serve: Serve): UpgradeHandler =>
        (request, socket, head) => {
          api
            .callerOfUpgrade(request)
            .then((caller) =>
              caller ? serve(caller, request, socket, head) : refuseUpgrade(socket, 401, 'Unauthorized'),
            )
            .catch((error) => {
              log.error(error, 'previews: admitting a socket failed')
              refuseUpgrade(socket, 500, 'Internal Server Error')
            })
        }
      servePictures(api, { channels, viewers, isReadable, closed, signed, placeOf: find })
      api.upgrades.on(WALL_PATH, guarded(wall))
      api.upgrades.onMatch(streamPath, guarded(stream))
    },
    stop: viewers.stop,
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
