import { audioRoomRoutes } from './audio-room-routes.ts'
import { createAudioRooms } from './audio-rooms.ts'

export function audioRoomsFeature(needs: Parameters<typeof createAudioRooms>[0]) {
  const audioRooms = createAudioRooms(needs)
  return { face: audioRooms, routes: { audioRooms: audioRoomRoutes(audioRooms) } }
}
