// A unit that transmits to a channel with a streaming destination, and the calls about it that write.
import { api } from '@backhaul/contract/api/api'
import type { Browser } from '../testing.ts'
import type { TestDevice, TestFleet } from './fleet.ts'
import { until } from './wait.ts'

const capabilities = {
  protocolsIn: ['bonded'],
  protocolsOut: ['srt', 'rtmp'],
  encoders: ['libx264'],
  ffmpegVersion: null,
}

/** A server of London that can send the pictures of its channels to destinations. */
export async function sendingServer(fleet: TestFleet, name: string, slots: number): Promise<TestDevice> {
  const server = await fleet.server(name, slots)
  server.report({ capabilities })
  await until(() => fleet.core.servers.memory(server.id)?.actual.capabilities?.encoders.length === 1)
  return server
}

interface Input {
  params?: object
  body?: unknown
}

/** The order matters: the second call needs what the first started. */
export function cdnStreamChanges(
  stage: () => { fleet: TestFleet; root: Browser },
): Record<string, () => Promise<Input>> {
  const destination = { name: 'Partner', streamType: 'SRT', ip: '192.0.2.8', port: 9100 } as const
  let params: { id: string } | undefined
  return {
    async 'cdnStreams.start'() {
      const { fleet, root } = stage()
      const uid = (await sendingServer(fleet, 'CDN-MCR', 1)).channelIds[0] ?? ''
      params = { id: (await fleet.unit('CDN-1')).id }
      await root.call(api.destinations.add, { body: { uid, destination } })
      await root.call(api.unitCommands.start, { params, body: { channel: uid } })
      return { params, body: [destination.name] }
    },
    'cdnStreams.stop': async () => ({ params: params ?? {} }),
  }
}
