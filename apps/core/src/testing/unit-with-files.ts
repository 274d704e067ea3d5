import type { TestDevice, TestFleet } from './fleet.ts'
import { until } from './wait.ts'

export const testStorages = [{ path: '/media', totalBytes: 64e9, freeBytes: 41e9 }]

/** A unit that shows files on /media, and the server of its selected channel, which takes them. */
export async function unitWithFiles(
  { core, ...test }: TestFleet,
  name: string,
): Promise<{ unit: TestDevice; server: TestDevice; channelId: string }> {
  const server = await test.server(`Server of ${name}`, 2)
  const unit = await test.unit(name)
  const [channelId = ''] = server.channelIds
  const capabilities = { protocolsIn: ['bonded'], protocolsOut: [], encoders: [], ffmpegVersion: null }
  server.report({ capabilities: { ...capabilities, uploads: true } })
  unit.report({ storages: testStorages, capabilities: { fileUpload: true }, channelId })
  await until(() => core.units.values(unit.id)?.channelId === channelId)
  await until(() => core.servers.memory(server.id)?.actual.capabilities?.uploads === true)
  return { unit, server, channelId }
}
