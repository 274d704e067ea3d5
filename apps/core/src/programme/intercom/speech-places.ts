// The servers at which units speak: the server of an audio room admits each session with a key, and is called at its speech port.
import { Conflict, Unavailable } from '@backhaul/contract/define/errors'
import type { ServerWanted, WantedSpeech } from '@backhaul/contract/gateway/servers'
import type { UnitWanted, WantedIntercom } from '@backhaul/contract/gateway/units'
import { AUDIO_ROOM_PLACES, type AudioRoom } from '@backhaul/contract/nouns/audio-rooms'
import type { DatabaseTransaction } from '../../database/schema.ts'
import type { Devices, WantedChange } from '../../fleet/devices/devices.ts'
import type { AudioRooms } from '../audio-rooms/audio-rooms.ts'

export interface SpeechPlaces {
  /** The server of the room and its addresses. Throws Unavailable without one, Conflict where the room is full. */
  find(room: AudioRoom): Pick<WantedIntercom, 'roomId' | 'serverId' | 'targets'>
  /** Present addresses of the server; none while its speech port is not open. */
  targets(serverId: string): WantedIntercom['targets']
  admit(transaction: DatabaseTransaction, serverId: string, entry: WantedSpeech): Promise<WantedChange>
  /** The changes with which servers no longer admit these sessions; servers that were removed are left out. */
  release(transaction: DatabaseTransaction, sessions: readonly AdmittedSession[]): Promise<WantedChange[]>
  /** Sessions that a server admits and that no unit has: what was left when core stopped, or a unit was removed. */
  withoutUnit(): AdmittedSession[]
}

type AdmittedSession = Pick<WantedIntercom, 'id' | 'serverId'>

interface Needs {
  devices: Devices
  audioRooms: AudioRooms
}

export const sessionsOf = (wanted: object | undefined): readonly WantedIntercom[] =>
  (wanted as Partial<UnitWanted> | undefined)?.intercoms ?? []

export function createSpeechPlaces({ devices, audioRooms }: Needs): SpeechPlaces {
  const change = (
    transaction: DatabaseTransaction,
    serverId: string,
    next: (now: readonly WantedSpeech[]) => WantedSpeech[],
  ) =>
    devices.changeWanted<ServerWanted>(transaction, serverId, (wanted) => ({
      ...wanted,
      speech: next(wanted.speech ?? []),
    }))

  const { targets } = audioRooms.connect

  return {
    targets,
    find(room) {
      if (room.participants.length >= AUDIO_ROOM_PLACES) throw new Conflict('audioRoom.full')
      const serverId = audioRooms.connect.serverOf(room)
      const found = targets(serverId)
      if (found.length === 0) throw new Unavailable('audioRoom.noServer')
      return { roomId: room.id, serverId, targets: found }
    },
    admit: (transaction, serverId, entry) => change(transaction, serverId, (now) => [...now, entry]),
    async release(transaction, sessions) {
      const over = new Set(sessions.map(({ id }) => id))
      const serverIds = new Set(sessions.map(({ serverId }) => serverId))
      const changes: WantedChange[] = []
      // In one order, so that two changes cannot wait for each other.
      for (const serverId of [...serverIds].sort())
        if (devices.get(serverId))
          changes.push(await change(transaction, serverId, (now) => now.filter(({ id }) => !over.has(id))))
      return changes
    },
    withoutUnit() {
      const there = new Set(
        devices.all('unit').flatMap(({ wanted }) => sessionsOf(wanted).map(({ id }) => id)),
      )
      return devices
        .all('server')
        .flatMap(({ id: serverId, wanted }) =>
          ((wanted as Partial<ServerWanted>).speech ?? [])
            .filter(({ id }) => !there.has(id))
            .map(({ id }) => ({ id, serverId })),
        )
    },
  }
}
