/** Remote actions of the vendor, its contractors and partners on a device of a customer (GAP-SCR-07). */
import { z } from 'zod'
import { IsoTime } from '../define/answers.ts'
import { ReasonCause, rule } from '../define/refusals.ts'
import { DESCRIPTION_MAX } from './device-logs.ts'
import { UpgradeRequest } from './upgrades.ts'

/**
 * 1. reboot and shutdown: the machine of a unit;
 * 2. sendLogs: a unit sends core its log, which administrators download;
 * 3. restart: the software of a server;
 * 4. setTargetVersion and clearTargetVersion: the software that the device is to run, and the end of one that is pending;
 * 5. deleteCertificate: core no longer knows the machine by its token, and it has to register again;
 * 6. checkAccess: whether the customer grants access to the device now; nothing is done to it.
 */
export const RemoteAction = z.enum([
  'checkAccess',
  'reboot',
  'shutdown',
  'restart',
  'sendLogs',
  'setTargetVersion',
  'clearTargetVersion',
  'deleteCertificate',
])
export type RemoteAction = z.infer<typeof RemoteAction>

export const RemoteDevice = z.object({
  device: z.string(),
  kind: z.enum(['unit', 'server']),
  name: z.string(),
  serialNumber: z.string(),
  type: z.string(),
  inventoryId: z.string(),
  inventoryName: z.string(),
  swVersion: z.string(),
  offline: z.boolean(),
  busy: z.boolean().describe('Its reboot or restart has to be confirmed by whileBusy'),
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

export const RemoteActionRequest = z.strictObject({
  device: z.string().min(1).max(64),
  action: RemoteAction,
  whileBusy: z.boolean().optional().describe('A reboot or restart also interrupts what the device does now'),
  description: z
    .string()
    .trim()
    .min(1, rule('field.required'))
    .max(DESCRIPTION_MAX)
    .optional()
    .describe('Of the logs to send; required for sendLogs'),
  versionNumberId: UpgradeRequest.shape.versionNumberId
    .optional()
    .describe('The version to run; required for setTargetVersion'),
  upgradeNow: z.boolean().optional().describe('For setTargetVersion: now or not at all'),
})
export type RemoteActionRequest = z.infer<typeof RemoteActionRequest>
