/** Remote actions of the vendor, its contractors and partners on a device of a customer (GAP-SCR-07). */
import { z } from 'zod'
import { IsoTime } from '../define/answers.ts'
import { ReasonCause } from '../define/refusals.ts'

export const RemoteAction = z.enum(['reboot', 'shutdown'])
export type RemoteAction = z.infer<typeof RemoteAction>

export const RemoteDevice = z.object({
  device: z.string(),
  name: z.string(),
  serialNumber: z.string(),
  type: z.string(),
  inventoryId: z.string(),
  inventoryName: z.string(),
  swVersion: z.string(),
  offline: z.boolean(),
  busy: z.boolean().describe('Its reboot has to be confirmed by whileBusy'),
  accessUntil: IsoTime.nullable().describe('Until when the customer grants support access; null: not now'),
  actions: z
    .array(
      z.object({
        name: RemoteAction,
        refusal: z.string().nullable().describe('Why the caller cannot do it now; null: they can'),
        cause: ReasonCause,
      }),
    )
    .describe('The actions on such a device'),
})
export type RemoteDevice = z.infer<typeof RemoteDevice>
