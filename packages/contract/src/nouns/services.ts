/** Services of a customer in addition to its units: plans, trials, expiry and usage (EN-MSVC, EN-INVSVC, ST-MSVC, ST-SVC rows). */
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

/** Any service may be sold; one without a label is shown by its name (GAP-SVC-06). */
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
 * The status of a service. The stored one is kept until it is changed; time and usage derive the others:
 * 1. none or another → enabledTrial: its administrator starts the one trial that a customer has of it.
 * 2. enabledTrial → activeTrial: it was used.
 * 3. enabledTrial, activeTrial → expiredTrial: it has expired, or its hours of use are used up.
 * 4. purchasedService → expiredService: it has expired.
 * 5. enabled, active, selfActive → expired: it has expired.
 * 6. disabled, inactive, na, done and expired ones are kept until the vendor sets another status.
 */
export const ManagedServiceStatus = z.enum([
  ...(['enabledTrial', 'expiredTrial', 'activeTrial', 'expiredService', 'purchasedService'] as const),
  ...(['active', 'inactive', 'enabled', 'disabled', 'na', 'done', 'expired', 'selfActive'] as const),
])
export type ManagedServiceStatus = z.infer<typeof ManagedServiceStatus>

/** The displayed status (GAP-SVC-01); a service that was never enabled or is switched off has none. */
export const ServiceState = z.enum(['onTrial', 'expired', 'trialExpired', 'purchased', 'overUsage'])
export type ServiceState = z.infer<typeof ServiceState>

/** Data are gigabytes of 1,000,000,000 bytes, time is hours. */
export const UsageType = z.enum(['data', 'time', 'na'])
export type UsageType = z.infer<typeof UsageType>

export const TRIAL_DAYS = 30
/** The trial of graphics does not expire by date: it lasts for hours of use (CO-ADMIN-03, GAP-SVC-02). */
export const GRAPHICS_TRIAL_HOURS = 10

/** A service as it is stored. */
export interface ServiceContract {
  status: ManagedServiceStatus
  expiresMs: number | null
  usageType: UsageType
  packageSize: number | null
  /** Null where it is not measured. */
  used: number | null
}

/** The usage of a plan is measured here; that of other services is given by the vendor. */
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

/** More was used than the package holds; nothing is closed because of that (GAP-SVC-05). */
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

/** A trial that begins now. */
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
  expiration: IsoTime.nullable().describe('null: it does not expire'),
  renewal: z.string().max(64).describe('As in the order, for instance monthly'),
  instanceLimit: z.number().int().min(0).max(1_000_000).nullable().describe('null: no limit'),
  usageType: UsageType,
  packageSize: z.number().min(0).max(1e9).nullable().describe('GB for data, hours for time'),
  usedData: z
    .number()
    .min(0)
    .max(1e9)
    .nullable()
    .describe('In the unit of the package; measured here for plans, given by the vendor for others'),
}

export const ManagedService = z.object({
  inventoryId: z.string(),
  inventoryName: z.string(),
  name: z.string(),
  ...fields,
  state: ServiceState.nullable(),
  trial: z.boolean().describe('Its trial is running, or was used'),
  trialStarted: IsoTime.nullable(),
  overUsage: z.boolean(),
  measured: z.boolean().describe('The usage is measured here'),
})
export type ManagedService = z.infer<typeof ManagedService>

/** Fields that are not given keep their value; in a new service they are empty, and the status is purchasedService. */
export const ServiceChange = z.strictObject(fields).partial()
export type ServiceChange = z.infer<typeof ServiceChange>

export const NamedServiceChange = z.strictObject({ name: ServiceName, ...fields }).partial({
  ...({ plan: true, status: true, expiration: true, renewal: true } as const),
  ...({ instanceLimit: true, usageType: true, packageSize: true, usedData: true } as const),
})
export type NamedServiceChange = z.infer<typeof NamedServiceChange>
