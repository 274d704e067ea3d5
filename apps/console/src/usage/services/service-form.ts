// The form of a service: its fields, and the part of them that is sent to core.
import type {
  ManagedService,
  ManagedServiceStatus,
  PlanType,
  UsageType,
} from '@backhaul/contract/nouns/services'
import { changedFields } from '../../kit/changed-fields.ts'

/** As typed: nothing is the empty text, a figure is text while its field is empty. */
export interface ServiceForm {
  name: string
  plan: PlanType | ''
  status: ManagedServiceStatus
  /** A day in the time zone of the browser. */
  expiration: string
  renewal: string
  instanceLimit: number | string
  usageType: UsageType
  packageSize: number | string
  usedData: number | string
}

/** A service that the customer does not have begins as purchased. */
export function formOf(service: ManagedService | null): ServiceForm {
  const isNew = service === null || service.status === 'na'
  return {
    name: service?.name ?? '',
    plan: service?.plan ?? '',
    status: isNew ? 'purchasedService' : service.status,
    expiration: service?.expiration ? dayOf(new Date(service.expiration)) : '',
    renewal: service?.renewal ?? '',
    instanceLimit: service?.instanceLimit ?? '',
    usageType: service?.usageType ?? 'na',
    packageSize: service?.packageSize ?? '',
    usedData: service?.usedData ?? '',
  }
}

const two = (value: number): string => String(value).padStart(2, '0')
const dayOf = (date: Date): string =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`

/** A service ends with its last day. */
const endOf = (day: string): string => new Date(`${day}T23:59:59`).toISOString()

/** The body of a new service, or of its changes. */
export function bodyOf(before: ServiceForm, form: ServiceForm, isNew: boolean): Record<string, unknown> {
  const { name, ...fields } = form
  const sent = Object.entries(isNew ? fields : changedFields(before, fields))
  return { name, ...Object.fromEntries(sent.map(([field, value]) => [field, sentValue(field, value)])) }
}

function sentValue(field: string, value: string | number): string | number | null {
  if (field === 'renewal') return value
  if (value === '') return null
  return field === 'expiration' ? endOf(String(value)) : value
}
