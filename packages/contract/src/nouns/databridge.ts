/** Databridge: the gateway at which a unit's network leaves the bonded path (EN-RECS-09, GAP-STATE-01, GAP-SRV-10). */

import { z } from 'zod'
import type { PlainCode } from '../define/refusals.ts'
import type { Applications } from './unit-status.ts'

/** A databridge gateway; `address` is '' until it was reported. */
export const DatabridgeGateway = z.object({ id: z.string(), name: z.string(), address: z.string() })
export type DatabridgeGateway = z.infer<typeof DatabridgeGateway>

const gatewayWhileActive = 'databridge.active'

/** Why the gateway cannot be chosen now; undefined when the databridge is idle (ER-UNIT-16, GAP-STATE-01). */
export const gatewayFault = (applications: Applications | undefined): PlainCode | undefined =>
  (applications?.databridge?.state ?? 'idle') === 'idle' ? undefined : gatewayWhileActive
