// The server that shows a channel's picture, and the name of the picture there.
import type { Channels } from '../channels/channels.ts'
import type { Devices } from '../devices/devices.ts'
import type { Servers } from '../servers/servers.ts'

export interface PreviewPlace {
  serverId: string
  host: string
  port: number
  /** The server's name of the picture: the channel's id or the name of a generated loop. */
  name: string
}

interface Needs {
  channels: Channels
  servers: Servers
  devices: Devices
}

/** Undefined when no connected server shows the channel. */
export function placeOf({ channels, servers, devices }: Needs, channelId: string): PreviewPlace | undefined {
  const loop = channels.telemetry(channelId)?.previewOf ?? undefined
  if (loop !== undefined) {
    const keeper = servers.online().find(({ id }) => servers.memory(id)?.actual.loops?.includes(loop))
    return keeper && placeAt(keeper.id, loop)
  }
  const serverId = channels.serverOf(channelId)
  return serverId === undefined ? undefined : placeAt(serverId, channelId)

  /** Core reaches the server at the address that it dialled from. */
  function placeAt(serverId: string, name: string): PreviewPlace | undefined {
    const host = devices.get(serverId)?.address
    const port = servers.memory(serverId)?.actual.previewPort
    return host && port ? { serverId, host, port, name } : undefined
  }
}
