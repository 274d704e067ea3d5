// Audio Connect: the participants of each audio room, and the server that mixes its sound.
import { randomUUID } from 'node:crypto'
import { Conflict, InvalidRequest, NotFound, Unavailable } from '@backhaul/contract/define/errors'
import type { UnitWanted } from '@backhaul/contract/gateway/units'
import type { AudioOffer, AudioRoom, AudioSession } from '@backhaul/contract/nouns/audio-rooms'
import type { IfbStatus } from '@backhaul/contract/nouns/user-details'
import type { Clock } from '@backhaul/runtime/clock'
import type { Caller } from '../../doors/api/caller.ts'
import type { Devices } from '../../fleet/devices/devices.ts'
import type { Servers } from '../../fleet/servers/servers.ts'
import type { Inventories } from '../../platform/inventories/inventories.ts'
import type { Events } from '../../world/events.ts'

export interface AudioConnect {
  /** Names of the present participants of the room. */
  participantsOf(roomId: string): string[]
  /** The server at which all participants of the room meet; throws Unavailable without one. */
  serverOf(room: Pick<AudioRoom, 'id' | 'inventory'>): string
  /** The addresses at which units call the server for its sound; none while its port for that is not open. */
  targets(serverId: string): { host: string; port: number }[]
  /** The room of a user; undefined when they are in none. */
  presenceOf(userId: string): Presence | undefined
  /** Enters the room. Throws Unavailable without a server for audio rooms, Conflict where the room is full. */
  join(caller: Caller, room: AudioRoom, offer: AudioOffer): Promise<AudioSession>
  /** Throws NotFound for a session that is not the caller's own. */
  leave(caller: Caller, roomId: string, sessionId: string): Promise<void>
}

export interface Presence {
  roomId: string
  inventoryId: string
  status: Exclude<IfbStatus, 'off'>
}

interface Needs {
  clock: Clock
  events: Events
  inventories: Inventories
  devices: Devices
  servers: Servers
}

interface Session {
  roomId: string
  inventoryId: string
  serverId: string
  userId: string
  username: string
  signInId: string | undefined
  sinceMs: number
  /** Its server has reported the participant. */
  isReported: boolean
}

const answersWithinMs = 10_000
/** A server reports each second who is there; one who has just joined may not be included yet. */
const graceMs = 5000

export function createAudioConnect({ clock, events, inventories, devices, servers }: Needs): AudioConnect {
  const sessions = new Map<string, Session>()

  const inRoom = (roomId: string) => [...sessions.values()].filter((one) => one.roomId === roomId)

  const carries = (serverId: string) =>
    servers.isOnline(serverId) && servers.memory(serverId)?.actual.capabilities?.audioRooms === true

  /** The servers of units that speak in the room. */
  const serversOfUnits = (roomId: string, inventoryId: string) =>
    devices
      .ofInventory('unit', inventoryId)
      .flatMap(({ wanted }) => (wanted as Partial<UnitWanted>).intercoms ?? [])
      .flatMap((session) => (session.roomId === roomId ? [session.serverId] : []))

  /** All participants of a room use one server: that of those who are there, else the first for audio rooms. */
  function serverOf({ id, inventory }: Pick<AudioRoom, 'id' | 'inventory'>): string {
    const there = [...inRoom(id).map(({ serverId }) => serverId), ...serversOfUnits(id, inventory)]
    const found =
      there.find(carries) ??
      servers.online().find((one) => one.inventoryId === inventory && carries(one.id))?.id
    if (found === undefined) throw new Unavailable('audioRoom.noServer')
    return found
  }

  async function fetchFromServer(
    serverId: string,
    place: string,
    init: { method: 'POST' | 'DELETE'; body?: string },
  ): Promise<Response> {
    const path = `/rooms/${place}`
    const host = devices.get(serverId)?.address ?? ''
    const port = servers.memory(serverId)?.actual.previewPort
    try {
      return await fetch(`http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`, {
        ...init,
        // A server answers for itself only: core follows no redirect, which could lead into the operator's network.
        redirect: 'error',
        headers: {
          'content-type': 'application/sdp',
          ...devices.signed(serverId, { method: init.method, path }),
        },
        signal: AbortSignal.timeout(answersWithinMs),
      })
    } catch {
      throw new Unavailable('audioRoom.serverSilent')
    }
  }

  async function end(sessionId: string): Promise<void> {
    const session = sessions.get(sessionId)
    if (!session) return
    sessions.delete(sessionId)
    // A failure does not matter: the session is gone, with the server or by the user.
    await fetchFromServer(session.serverId, `${session.roomId}/${sessionId}`, { method: 'DELETE' }).catch(
      () => {},
    )
  }

  function endWhere(isMeant: (session: Session) => boolean): void {
    for (const [id, session] of [...sessions]) if (isMeant(session)) void end(id)
  }
  events.on('signInEnded', ({ signInId }) => endWhere((session) => session.signInId === signInId))
  events.on('userScopeChanged', ({ userId }) => endWhere((session) => session.userId === userId))
  events.on('deviceDisconnected', ({ deviceId }) => {
    for (const [id, { serverId }] of [...sessions]) if (serverId === deviceId) sessions.delete(id)
  })
  events.on('device:serverTelemetry', ({ deviceId, message }) => {
    if (!message.audioSessions) return
    const there = new Set(message.audioSessions)
    for (const [id, session] of [...sessions]) {
      if (session.serverId !== deviceId) continue
      if (there.has(id)) session.isReported = true
      else if (clock.monotonicMs() - session.sinceMs > graceMs) sessions.delete(id)
    }
  })

  inventories.keepWhile((id) =>
    [...sessions.values()].some(({ inventoryId }) => inventoryId === id) ? 'inventory.active' : undefined,
  )

  return {
    serverOf,
    targets(serverId) {
      const port = servers.memory(serverId)?.actual.speechPort
      return port == null ? [] : servers.addresses(serverId).map((host) => ({ host, port }))
    },
    participantsOf: (roomId) => inRoom(roomId).map(({ username }) => username),
    presenceOf(userId) {
      const own = [...sessions.values()].filter((one) => one.userId === userId)
      const session = own.find(({ isReported }) => isReported) ?? own[0]
      if (!session) return undefined
      const { roomId, inventoryId, isReported } = session
      return { roomId, inventoryId, status: isReported ? 'connected' : 'connecting' }
    },
    async join({ userId, username, signInId }, room, { sdp, echo }) {
      const serverId = serverOf(room)
      const session = randomUUID()
      // A participant who joins meanwhile gets the same server.
      sessions.set(session, {
        roomId: room.id,
        inventoryId: room.inventory,
        serverId,
        userId,
        username,
        signInId,
        sinceMs: clock.monotonicMs(),
        isReported: false,
      })
      const answer = await fetchFromServer(serverId, `${room.id}/${session}${echo ? '?echo' : ''}`, {
        method: 'POST',
        body: sdp,
      }).catch((error) => {
        sessions.delete(session)
        throw error
      })
      if (answer.ok) return { session, sdp: await answer.text() }
      sessions.delete(session)
      if (answer.status === 409) throw new Conflict('audioRoom.full')
      if (answer.status === 400) throw InvalidRequest.at('sdp', 'field.invalid')
      throw new Unavailable('audioRoom.serverSilent')
    },
    async leave({ userId }, roomId, sessionId) {
      const session = sessions.get(sessionId)
      if (session?.userId !== userId || session.roomId !== roomId) throw new NotFound('session')
      await end(sessionId)
    },
  }
}
