// The audio rooms of a customer, and the one that this page is in.
import { audioRooms as calls } from '@backhaul/contract/api/audio-rooms'
import { channels } from '@backhaul/contract/api/channels'
import type { AudioRoom, NewAudioRoom } from '@backhaul/contract/nouns/audio-rooms'
import i18next from 'i18next'
import { call, describeFault, type Fault, faultWords } from '../../doors/api.ts'
import { changedFields } from '../../kit/changed-fields.ts'
import { createList, readAll } from '../../kit/lists.ts'
import { inventoryName } from '../../people/inventory-names/inventory-names.ts'
import { createValue } from '../../ui/value.ts'
import { enterRoom, openMicrophone, type RoomConnection } from './room-connection.ts'

export const rooms = createList(
  'audioRooms',
  (id: string) => readAll((query) => call(calls.list, { params: { id }, query })),
  ({ id }) => id,
)

export const saveRoom = (
  id: string,
  before: AudioRoom | null,
  request: NewAudioRoom,
): Promise<Fault | undefined> =>
  rooms.change(() =>
    before
      ? call(calls.change, { params: { id, room: before.id }, body: changedFields(before, request) })
      : call(calls.create, { params: { id }, body: request }),
  )

export const removeRoom = ({ inventory: id, id: room }: AudioRoom): Promise<Fault | undefined> =>
  rooms.change(() => call(calls.remove, { params: { id, room } }))

/**
 * 1. join: this page is in no room;
 * 2. connecting: it requests the microphone and connects to the server;
 * 3. leave: it is in the room, and may leave it;
 * 4. disconnecting: it is on its way out (ST-AUDIO rows).
 */
export type AudioState = 'join' | 'connecting' | 'leave' | 'disconnecting'

export interface AudioConnect {
  state: AudioState
  room: { id: string; name: string } | null
  /** Number of others whose voice is received. */
  hears: number
  /** The microphone is open all the time, or only while a button is held. */
  pushToTalk: boolean
  /** The button is held. */
  talks: boolean
  fault: string | undefined
}

const outside = { state: 'join', room: null, hears: 0, talks: false, fault: undefined } as const
export const audioConnect = createValue<AudioConnect>({ ...outside, pushToTalk: false })

let connection: RoomConnection | undefined

/** The choice of push to talk is kept from room to room. */
const become = (change: Partial<AudioConnect>) => audioConnect.set({ ...audioConnect.get(), ...change })

const isOpen = ({ pushToTalk, talks }: AudioConnect) => !pushToTalk || talks

function setTalking(change: Pick<AudioConnect, 'talks'> & Partial<Pick<AudioConnect, 'pushToTalk'>>): void {
  become(change)
  connection?.setMicrophone(isOpen(audioConnect.get()))
}

export const setPushToTalk = (pushToTalk: boolean): void => setTalking({ pushToTalk, talks: false })

/** Called when the button to talk is pressed and released. */
export const talk = (talks: boolean): void => setTalking({ talks })

export async function join(room: AudioRoom, echo: boolean): Promise<void> {
  if (audioConnect.get().state !== 'join') return
  become({ ...outside, state: 'connecting', room })
  const params = { id: room.inventory, room: room.id }
  try {
    const { iceServers } = await call(channels.stunTurn, {
      query: { identifier: inventoryName(room.inventory) },
    })
    const microphone = await openMicrophone()
    if (!microphone) return become({ ...outside, fault: i18next.t('audioRooms:noMicrophone') })
    connection = await enterRoom({
      microphone,
      iceServers,
      answer: async (sdp) => await call(calls.join, { params, body: { sdp, echo } }),
      end: async (session) => void (await call(calls.leave, { params, query: { session } })),
      isOpen: isOpen(audioConnect.get()),
      onHears: (hears) => become({ hears }),
      onLost: () => void leave(),
    })
    become({ ...outside, state: 'leave', room })
    // The choice may have changed while it connected.
    connection.setMicrophone(isOpen(audioConnect.get()))
  } catch (error) {
    become({ ...outside, fault: faultWords(describeFault(error)) })
  }
  await rooms.refresh()
}

export async function leave(): Promise<void> {
  if (audioConnect.get().state !== 'leave') return
  become({ state: 'disconnecting' })
  await connection?.close()
  connection = undefined
  become(outside)
  await rooms.refresh()
}
