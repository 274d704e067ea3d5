/** Receiving servers (EN-SERVER rows). */
import { z } from 'zod'
import { productOf, products } from './products.ts'

export const ServerType = z.enum([
  'mmh_server',
  'vr_server',
  'ingest_server',
  'transceiver_server',
  'db_gateway',
])
export type ServerType = z.infer<typeof ServerType>

/** The type of a server by its product name (EN-SERVER-01, GAP-SRV-10). */
export function serverTypeOf(product: string): ServerType {
  switch (productOf(product).group) {
    case 'videoReturnServer':
      return 'vr_server'
    case 'transceiverServer':
      return 'transceiver_server'
    case 'ingestServer':
      return 'ingest_server'
    case 'databridgeGateway':
      return 'db_gateway'
    default:
      return 'mmh_server'
  }
}

/** Names of the products whose channels return video to units. */
export const videoReturnProducts: readonly string[] = products
  .filter(({ group }) => group === 'videoReturnServer')
  .map(({ name }) => name)

export const ServerWarning = z.object({
  code: z.enum(['GRACE_PERIOD', 'PENDING_TERMINATION', 'TALLY_DISCONNECTED', 'IFB_DISCONNECTED']),
  date: z.string().nullable().default(null).describe('Only the first two carry a date'),
})

/** What a machine can do, found by probing, never assumed. */
export const ServerCapabilities = z.object({
  protocolsIn: z.array(z.string()),
  protocolsOut: z.array(z.string()),
  encoders: z.array(z.string()),
  ffmpegVersion: z.string().nullable(),
})
export type ServerCapabilities = z.infer<typeof ServerCapabilities>

export const Server = z.object({
  deviceId: z.string(),
  uniqueId: z.string(),
  type: ServerType,
  name: z.string(),
  alias: z.string(),
  serialNumber: z.string(),
  comment: z.string(),
  inventoryId: z.string(),
  productType: z.string(),
  state: z.enum(['online', 'offline']),
  applications: z.record(z.string(), z.unknown()),
  swVersion: z.string(),
  targetVersion: z.string().nullable(),
  serverUsage: z
    .object({ cpuPercent: z.number(), memoryPercent: z.number(), storagePercent: z.number() })
    .nullable(),
  upTime: z.number().describe('Seconds'),
  tallyHwStatus: z.string(),
  audioHwStatus: z.string(),
  IFBMode: z.enum(['off', 'SDI', 'IP']),
  maxChannels: z.number().int(),
  publishingMode: z.enum(['off', 'on demand', 'always']),
  hotfolderOutputFormat: z.enum(['mp4', 'mov', 'mkv']),
  webrtcPort: z.number().int().nullable(),
  genlockOffset: z.number().int().min(-511).max(511),
  timezone: z.string(),
  warnings: z.array(ServerWarning),
  capabilities: ServerCapabilities.nullable(),
  addresses: z.array(z.string()),
  reportedAt: z.number().nullable(),
  reportIntervalMs: z.number(),
  rev: z.string(),
})
export type Server = z.infer<typeof Server>
