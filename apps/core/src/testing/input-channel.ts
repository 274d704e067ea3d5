// A server with one input for standard encoders, on the stage of a test.
import type { TestFleet } from './fleet.ts'

/** The id of its channel. */
export async function inputChannelOf(fleet: TestFleet, name = 'Inputs', more: object = {}): Promise<string> {
  const slots = [{ slot: 'srt-1', name: 'SRT', inputType: 'srt' as const }]
  const server = await fleet.again(await fleet.server(name, 0, more), { slots })
  await server.greet()
  const { state } = await server.next('serverWanted', ({ state }) => state.channels.length > 0)
  return state.channels[0]?.channelId ?? ''
}
