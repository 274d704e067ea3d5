// The servers of the group, live while the list of units is shown: read by REST, kept by push.
import { servers } from '@backhaul/contract/api/servers'
import type { Alert } from '@backhaul/contract/nouns/alerts'
import type { ListedServer } from '@backhaul/contract/nouns/servers'
import { isStale } from '@backhaul/contract/nouns/units'
import { call } from '../../doors/api.ts'
import { type PushMessage, push } from '../../doors/push.ts'
import { createKeyedStore } from '../../ui/keyed-store.ts'
import { activeAlerts, keyOf } from '../alerts/alerts.ts'

/** A server as a row of the list of units. */
export interface LiveServer extends ListedServer {
  readonly kind: 'server'
  /** Nothing was received for two of its intervals, or the link to core is lost. */
  readonly stale: boolean
  /** Alerts of the group that the user has not closed. */
  readonly alerts: Alert[]
}

/** Servers that join or leave reload the list this long after the last of them (PU-TIME-07). */
const reloadDebounceMs = 3000
const lookMs = 1000

export const serverStore = createKeyedStore<LiveServer>()

function withDerivedFields(server: ListedServer): LiveServer {
  const { kind } = push.link()
  const isLost = kind === 'lost' || kind === 'gaveUp'
  return {
    ...server,
    kind: 'server',
    stale: isLost || isStale(server, Date.now() + push.clockOffsetMs()),
    alerts: activeAlerts.get().filter(({ uid }) => uid === server.deviceId),
  }
}

/** Everything that a row shows and that came neither with the list nor with the topic of the server. */
function refreshDerivedFields(): void {
  for (const id of serverStore.ids()) {
    const server = serverStore.latest(id)
    if (!server) continue
    const next = withDerivedFields(server)
    const isSame =
      next.stale === server.stale && `${next.alerts.map(keyOf)}` === `${server.alerts.map(keyOf)}`
    if (!isSame) serverStore.put(id, next)
  }
}

/** Keeps the servers of the group live until the returned function is called. */
export function followServers(groupId: string): () => void {
  const stops = new Map<string, () => void>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false

  function news({ uid, data }: PushMessage): void {
    const before = serverStore.latest(uid)
    if (before) serverStore.put(uid, withDerivedFields({ ...before, ...(data as Partial<ListedServer>) }))
  }

  function accept(list: readonly ListedServer[]): void {
    const present = new Set(list.map(({ deviceId }) => deviceId))
    for (const [id, stop] of stops) {
      if (present.has(id)) continue
      stop()
      stops.delete(id)
    }
    serverStore.replaceAll(
      list.map((server) => [
        server.deviceId,
        serverStore.latest(server.deviceId) ?? withDerivedFields(server),
      ]),
    )
    for (const { deviceId, rev } of list)
      if (!stops.has(deviceId)) stops.set(deviceId, push.subscribe(`server.${deviceId}`, news, rev))
  }

  /** A shown list is kept where it cannot be read again. */
  async function read(): Promise<void> {
    const list = await call(servers.ofGroup, { params: { id: groupId } }).catch(() => undefined)
    if (list && !isOver) accept(list)
  }

  const stopGroup = push.subscribe(`group.${groupId}`, ({ kind, from }) => {
    // A snapshot contains joins and leaves that the loaded list already holds.
    if (from === 0 || (kind !== 'deviceAdded' && kind !== 'deviceRemoved')) return
    clearTimeout(timer)
    timer = setTimeout(() => void read(), reloadDebounceMs)
  })
  const others = [activeAlerts.subscribe(refreshDerivedFields), push.onResumed(() => void read())]
  const looking = setInterval(refreshDerivedFields, lookMs)
  void read()
  return () => {
    isOver = true
    clearTimeout(timer)
    clearInterval(looking)
    for (const stop of [stopGroup, ...others, ...stops.values()]) stop()
    serverStore.replaceAll([])
    serverStore.flush()
  }
}
