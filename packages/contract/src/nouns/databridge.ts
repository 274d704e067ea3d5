/** Databridge: the gateway at which a unit's network leaves the bonded path (EN-RECS-09, GAP-STATE-01, GAP-SRV-10). */

import { z } from 'zod'
import { type PlainCode, rule } from '../define/refusals.ts'
import { whole } from './servers.ts'
import type { Applications } from './unit-status.ts'

/** A databridge gateway; `address` is '' until it was reported. */
export const DatabridgeGateway = z.object({ id: z.string(), name: z.string(), address: z.string() })
export type DatabridgeGateway = z.infer<typeof DatabridgeGateway>

export const DATABRIDGE_PORTS_MAX = 16

/** A port of the unit: data sent to it leaves at the gateway for this host, and the answers come back. */
export const DatabridgePort = z.strictObject({
  protocol: z.enum(['tcp', 'udp']),
  port: whole(1, 65_535).describe('At the unit'),
  host: z
    .string()
    .trim()
    .min(1, rule('field.required'))
    .max(255, rule('text.atMost', { most: 255 }))
    .regex(/^[\w.:-]*$/, rule('address.host'))
    .describe('Name or address in the network of the gateway'),
  hostPort: whole(1, 65_535),
})
export type DatabridgePort = z.infer<typeof DatabridgePort>

/** The unit can open each port for one host only. */
export const DatabridgePorts = z
  .array(DatabridgePort)
  .max(DATABRIDGE_PORTS_MAX)
  .refine(
    (ports) => new Set(ports.map(({ protocol, port }) => `${protocol} ${port}`)).size === ports.length,
    { message: rule('field.notUnique') },
  )

const gatewayWhileActive = 'databridge.active'

/** Why the gateway cannot be chosen now; undefined when the databridge is idle (ER-UNIT-16, GAP-STATE-01). */
export const gatewayFault = (applications: Applications | undefined): PlainCode | undefined =>
  (applications?.databridge?.state ?? 'idle') === 'idle' ? undefined : gatewayWhileActive
