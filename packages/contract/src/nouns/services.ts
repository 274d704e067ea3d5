/** Services that a customer has beside their units: plans, trials, ends and use (EN-MSVC, EN-INVSVC, ST-MSVC, ST-SVC rows). */
import { z } from 'zod'
import { IsoTime } from '../define/answers.ts'
import type { PlainCode } from '../define/refusals.ts'

/** The services of the specification, and graphics, whose trial is counted in hours of use. */
export const serviceNames = [
  ...(['go_plan', 'smart_plan', 'ai_integration', 'audio_ifb', 'cellular_cap', 'ingest'] as const),
  ...(['field_server', 'alerts_esn', 'alerts_adv', 'web_aud_connect', 'graphics'] as const),
] as const
export type KnownService = (typeof serviceNames)[number]

export const isKnownService = (name: string): name is KnownService =>
  (serviceNames as readonly string[]).includes(name)

/** Any service may be sold; one without a label is shown as it is written (GAP-SVC-06). */
export const ServiceName = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9_-]+$/)

export const PlanType = z.enum([
  'ADHOC',
  'ADHOC_SMART',
  'ADHOC_LITE',
  'PERMANENT',
  'PERMANENT_SMART',
  'PERMANENT_LITE',
])
export type PlanType = z.infer<typeof PlanType>

/**
 * What a service is. What is written stays until somebody changes it; time and use lead on from there:
 * 1. none or another → enabledTrial: its administrator starts the one trial that a customer has of it.
 * 2. enabledTrial → activeTrial: something of it was used.
 * 3. enabledTrial, activeTrial → expiredTrial: its end has come, or its hours of use are used up.
 * 4. purchasedService → expiredService: its end has come.
 * 5. enabled, active, selfActive → expired: its end has come.
 * 6. disabled, inactive, na, done and all that has expired stay so until the vendor writes something else.
 */
export const ManagedServiceStatus = z.enum([
  ...(['enabledTrial', 'expiredTrial', 'activeTrial', 'expiredService', 'purchasedService'] as const),
  ...(['active', 'inactive', 'enabled', 'disabled', 'na', 'done', 'expired', 'selfActive'] as const),
])
export type ManagedServiceStatus = z.infer<typeof ManagedServiceStatus>

/** What is shown of it (GAP-SVC-01); a service that was never had or is switched off has none. */
export const ServiceState = z.enum(['onTrial', 'expired', 'trialExpired', 'purchased', 'overUsage'])
export type ServiceState = z.infer<typeof ServiceState>

/** Data are gigabytes of 1,000,000,000 bytes, time is hours. */
export const UsageType = z.enum(['data', 'time', 'na'])
export type UsageType = z.infer<typeof UsageType>

export const TRIAL_DAYS = 30
/** The trial of graphics has no last day: it lasts for hours of use (CO-ADMIN-03, GAP-SVC-02). */
export const GRAPHICS_TRIAL_HOURS = 10

/** A service as it is kept. */
export interface ServiceContract {
  status: ManagedServiceStatus
  expiresMs: number | null
  usageType: UsageType
  packageSize: number | null
  /** Null where nobody measures it. */
  used: number | null
}

/** What is used of a plan is measured here; of all else the vendor tells it. */
export const isMeasured = <T extends { plan: PlanType | null; usageType: UsageType }>(
  service: T,
): service is T & { plan: PlanType } => service.plan !== null && service.usageType !== 'na'

const onTrial: readonly ManagedServiceStatus[] = ['enabledTrial', 'activeTrial']
const inForce: readonly ManagedServiceStatus[] = ['purchasedService', 'enabled', 'active', 'selfActive']

/** The status at a moment. */
export function statusOf(contract: ServiceContract, nowMs: number): ManagedServiceStatus {
  const { status, expiresMs, usageType, packageSize, used } = contract
  const isOver = expiresMs !== null && expiresMs <= nowMs
  if (onTrial.includes(status)) {
    const isUsedUp = usageType === 'time' && packageSize !== null && (used ?? 0) >= packageSize
    if (isOver || isUsedUp) return 'expiredTrial'
    return (used ?? 0) > 0 ? 'activeTrial' : status
  }
  if (!isOver || !inForce.includes(status)) return status
  return status === 'purchasedService' ? 'expiredService' : 'expired'
}

/** More was used than the package holds; nothing is cut off for it (GAP-SVC-05). */
export const isOverUsage = (contract: ServiceContract, nowMs: number): boolean =>
  isInForce(contract, nowMs) &&
  contract.usageType !== 'na' &&
  contract.packageSize !== null &&
  (contract.used ?? 0) > contract.packageSize

export const isInForce = (contract: ServiceContract, nowMs: number): boolean =>
  [...onTrial, ...inForce].includes(statusOf(contract, nowMs))

const stateOfStatus: Readonly<Partial<Record<ManagedServiceStatus, ServiceState>>> = {
  enabledTrial: 'onTrial',
  activeTrial: 'onTrial',
  expiredTrial: 'trialExpired',
  expiredService: 'expired',
  expired: 'expired',
  done: 'expired',
  purchasedService: 'purchased',
  enabled: 'purchased',
  active: 'purchased',
  selfActive: 'purchased',
}

export function stateOf(contract: ServiceContract, nowMs: number): ServiceState | null {
  if (isOverUsage(contract, nowMs)) return 'overUsage'
  return stateOfStatus[statusOf(contract, nowMs)] ?? null
}

/** Why no trial can be started; undefined when it can (GAP-SVC-02). */
export function trialRefusal(
  contract: (ServiceContract & { trialStartedMs: number | null }) | undefined,
  nowMs: number,
): PlainCode | undefined {
  if (!contract) return undefined
  if (contract.trialStartedMs !== null) return 'service.trialUsed'
  return isInForce(contract, nowMs) ? 'service.inForce' : undefined
}

/** What a trial that begins now is. */
export function trialOf(name: string, nowMs: number): Omit<ServiceContract, 'used'> {
  const byUse = { usageType: 'time', packageSize: GRAPHICS_TRIAL_HOURS, expiresMs: null } as const
  const byTime = { usageType: 'na', packageSize: null, expiresMs: nowMs + TRIAL_DAYS * 86_400_000 } as const
  return { status: 'enabledTrial', ...(name === 'graphics' ? byUse : byTime) }
}

export const ServiceStatusAnswer = z.object({
  serviceName: z.string(),
  status: z.enum(['ENABLED', 'DISABLED']),
})

const fields = {
  plan: PlanType.nullable(),
  status: ManagedServiceStatus,
  expiration: IsoTime.nullable().describe('null: it does not end by itself'),
  renewal: z.string().max(64).describe('In the words of the order, for instance monthly'),
  instanceLimit: z.number().int().min(0).max(1_000_000).nullable().describe('null: no limit'),
  usageType: UsageType,
  packageSize: z.number().min(0).max(1e9).nullable().describe('GB for data, hours for time'),
  usedData: z
    .number()
    .min(0)
    .max(1e9)
    .nullable()
    .describe('In the unit of the package; measured here for plans, told by the vendor for others'),
}

export const ManagedService = z.object({
  inventoryId: z.string(),
  inventoryName: z.string(),
  name: z.string(),
  ...fields,
  state: ServiceState.nullable(),
  trial: z.boolean().describe('Its trial runs, or was used'),
  trialStarted: IsoTime.nullable(),
  overUsage: z.boolean(),
  measured: z.boolean().describe('What was used is measured here'),
})
export type ManagedService = z.infer<typeof ManagedService>

/** What is not given stays; of a new one it is nothing, and the status is purchasedService. */
export const ServiceChange = z.strictObject(fields).partial()
export type ServiceChange = z.infer<typeof ServiceChange>

export const NamedServiceChange = z.strictObject({ name: ServiceName, ...fields }).partial({
  ...({ plan: true, status: true, expiration: true, renewal: true } as const),
  ...({ instanceLimit: true, usageType: true, packageSize: true, usedData: true } as const),
})
export type NamedServiceChange = z.infer<typeof NamedServiceChange>
