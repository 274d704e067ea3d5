/** A receiving server with a unit that sends to its first channel. */
import type { ServerWanted, WantedChannel } from '@backhaul/contract/gateway/servers'
import { until } from '../stage/until.ts'
import { sessionKey } from './received-picture.ts'
import type { ServerAtCore } from './server-at-core.ts'
import { type ServerUnderTest, wantedChannel } from './server-under-test.ts'
import { patienceMs } from './shared-cases.ts'

export const isIn = (server: ServerAtCore, slot: string, status: string) =>
  until(`${slot} to be ${status}`, () => server.channel(`channel-of-${slot}`)?.status === status, patienceMs)

export const intakeOf = (transmissionId: string) => ({
  transmissionId,
  unitId: 'unit-1',
  key: sessionKey.toString('base64'),
  bufferMs: 400,
})

/** A unit sends to the first channel while `look` runs. */
export async function receiving<T>(
  server: ServerUnderTest,
  more: Partial<WantedChannel>,
  look: () => Promise<T>,
  others: readonly WantedChannel[] = [],
  rest: Omit<ServerWanted, 'channels'> = {},
): Promise<T> {
  const intake = intakeOf(`transmission-${performance.now()}`)
  await server.want([wantedChannel('bonded-1', { intake }), ...others])
  const stopSending = await server.sendAsUnit('bonded-1', intake.transmissionId)
  try {
    await isIn(server, 'bonded-1', 'collecting')
    await server.want([wantedChannel('bonded-1', { intake, ...more }), ...others], rest)
    return await look()
  } finally {
    await stopSending()
    await server.want([wantedChannel('bonded-1')])
    await isIn(server, 'bonded-1', 'idle')
  }
}

export const main = 'channel-of-bonded-1'

export async function showsRed(server: ServerUnderTest, channelId = main): Promise<void> {
  await until('a red picture', async () => (await server.still(channelId)) === 'red', patienceMs)
}
