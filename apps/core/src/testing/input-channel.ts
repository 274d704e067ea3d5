// A server with one input for standard encoders, on the stage of a test.
import type { SourceScheme } from '@backhaul/contract/nouns/input-sources'
import type { TestDevice, TestFleet } from './fleet.ts'
import { until } from './wait.ts'

async function inputOf(fleet: TestFleet, name: string, more: object): Promise<[TestDevice, string]> {
  const slots = [{ slot: 'srt-1', name: 'SRT', inputType: 'srt' as const }]
  const server = await fleet.again(await fleet.server(name, 0, more), { slots })
  await server.greet()
  const { state } = await server.next('serverWanted', ({ state }) => state.channels.length > 0)
  return [server, state.channels[0]?.channelId ?? '']
}

/** The id of its channel. */
export const inputChannelOf = async (fleet: TestFleet, name = 'Inputs', more: object = {}): Promise<string> =>
  (await inputOf(fleet, name, more))[1]

/** A server that fetches pictures from such addresses, and the id of its channel. */
export async function fetchingInputOf(
  fleet: TestFleet,
  sources: SourceScheme[] = ['srt'],
  name = 'Fetching',
): Promise<[TestDevice, string]> {
  const [server, id] = await inputOf(fleet, name, {})
  const capabilities = { protocolsIn: ['srt'], protocolsOut: [], encoders: [], ffmpegVersion: null, sources }
  server.report({ capabilities })
  await until(() => fleet.core.channels.known(id)?.capabilities.sources === true)
  return [server, id]
}
