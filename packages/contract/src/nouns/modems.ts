/** A unit's links (modems, Ethernet, Wi-Fi) as they are now (EN-MODST rows). */
import { z } from 'zod'

export const LinkKind = z.enum(['modem', 'ethernet', 'wifi', 'satellite'])
export type LinkKind = z.infer<typeof LinkKind>

/** The data that a link has carried for any purpose, by the counters of the unit's machine. */
export const LinkData = z.object({
  sentBytes: z.number().int().min(0),
  receivedBytes: z.number().int().min(0),
  sinceMs: z.number().describe('When the unit began to count, milliseconds since 1970 by its clock'),
})
export type LinkData = z.infer<typeof LinkData>

export const ModemStatus = z.object({
  port: z
    .number()
    .int()
    .min(0)
    .max(63)
    .describe('Fixed number of the interface in the unit; the key of graphs and colours'),
  id: z.string().max(64).describe('Name of the interface, for example "eth0" or "Modem 3"'),
  kind: LinkKind.default('modem'),
  uplinkKbps: z.number().min(0),
  downlinkKbps: z.number().min(0),
  connected: z.boolean(),
  enabled: z.boolean(),
  signalQualities: z
    .record(z.string(), z.number())
    .default({})
    .describe('dBm and dB values by name: rssi, rsrp, rsrq, sinr; bars 0 to 5'),
  roaming: z.boolean().default(false),
  activeSim: z.enum(['A', 'B']).optional(),
  lastUpdate: z.iso.datetime().optional(),
  rttMs: z.number().min(0).nullable().default(null),
  lossPercent: z.number().min(0).max(100).default(0).describe('Lost on this link before repair'),
  retransmittedPercent: z.number().min(0).max(100).default(0),
  carrier: z.string().max(64).optional(),
  technology: z.string().max(32).optional().describe('For example LTE, 5G NSA, 5G SA, 1000BASE-T'),
  address: z.string().max(64).optional(),
  data: LinkData.optional().describe('All that it has carried; absent where the unit does not count'),
})
export type ModemStatus = z.infer<typeof ModemStatus>

/** One point of the modem graph: per port, over one interval. */
export const LinkSample = z.object({
  port: z.number().int(),
  kbps: z.number(),
  rttMs: z.number().nullable(),
  lossPercent: z.number(),
})
export type LinkSample = z.infer<typeof LinkSample>

/** The graph: one point every 5000 ms, 360 points kept (CO-UNIT-50, -51). */
export const GRAPH_INTERVAL_MS = 5000
export const GRAPH_POINTS = 360

export const GraphPoint = z.object({
  ts: z.number().describe('End of the interval, milliseconds since 1970'),
  links: z.array(LinkSample),
  encoderKbps: z.number().nullable().describe('The target of the encoder'),
  capacityKbps: z.number().nullable().describe('What the bonded links could carry'),
  droppedPackets: z.number().int().default(0).describe('Lost after repair, in this interval; visible on air'),
})
export type GraphPoint = z.infer<typeof GraphPoint>
