/** Reading servers. */
import { z } from 'zod'
import { endpoint } from '../define/endpoint.ts'
import { Server, ServerCapabilities } from '../nouns/servers.ts'

const id = z.object({ id: z.string().min(1).max(64) })
const capabilities = {
  protocolsIn: ['rist', 'srt', 'rtmp'],
  protocolsOut: ['srt', 'rtmp', 'mpegts'],
  encoders: ['libx264'],
  ffmpegVersion: '5.1.9',
}

export const exampleServer: Server = {
  deviceId: 'sv-lon',
  uniqueId: 'sv-lon',
  type: 'mmh_server',
  name: 'MCR-London',
  alias: 'MCR-London',
  serialNumber: 'hub-1',
  comment: '',
  inventoryId: 'inv-north',
  productType: 'MMH Server',
  state: 'online',
  applications: {},
  swVersion: '10.1.0',
  targetVersion: null,
  serverUsage: { cpuPercent: 14, memoryPercent: 31, storagePercent: 22 },
  upTime: 86_400,
  tallyHwStatus: '',
  audioHwStatus: '',
  IFBMode: 'off',
  maxChannels: 6,
  publishingMode: 'off',
  hotfolderOutputFormat: 'mp4',
  webrtcPort: null,
  genlockOffset: 0,
  timezone: 'UTC',
  warnings: [],
  capabilities,
  addresses: ['192.0.2.10'],
  reportedAt: 1_795_000_042_000,
  reportIntervalMs: 1000,
  rev: 'e1:9',
}

export const servers = {
  one: endpoint({
    method: 'GET',
    path: '/v2/servers/{id}',
    summary: 'One server',
    permission: 'viewUnits',
    params: id,
    response: Server,
    errors: [404],
    example: exampleServer,
    rows: ['EP-SRV-01'],
  }),
  capabilities: endpoint({
    method: 'GET',
    path: '/v2/servers/{id}/capabilities',
    summary: 'What the server can do, found by probing',
    permission: 'viewUnits',
    params: id,
    response: ServerCapabilities.nullable(),
    errors: [404],
    example: capabilities,
    rows: ['EP-SRV-03'],
  }),
  addresses: endpoint({
    method: 'GET',
    path: '/v2/servers/{id}/ips',
    summary: 'Addresses at which units reach the server',
    permission: 'viewUnits',
    params: id,
    response: z.array(z.string()),
    errors: [404],
    example: ['192.0.2.10'],
    rows: ['EP-SRV-05'],
  }),
  status: endpoint({
    method: 'GET',
    path: '/v2/servers/{id}/status',
    summary: 'Status of a server',
    permission: 'viewUnits',
    params: id,
    response: Server.pick({
      state: true,
      applications: true,
      upTime: true,
      serverUsage: true,
      reportedAt: true,
    }),
    errors: [404],
    example: {
      state: 'online',
      applications: {},
      upTime: 60,
      serverUsage: null,
      reportedAt: 1_795_000_042_000,
    },
    rows: ['EP-SRV-06'],
  }),
}
