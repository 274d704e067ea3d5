// The shape of the tables of what customers may use and have used; the rest is in schema.ts.
import type { Flag, JsonText } from './column-types.ts'

/** A service that a customer has or had in addition to their units. */
export interface InventoryServiceRow {
  inventory_id: string
  name: string
  plan: string | null
  status: string
  expires_ms: number | null
  trial_started_ms: number | null
  renewal: string
  instance_limit: number | null
  usage_type: string
  package_milli: number | null
  used_milli: number | null
  counted_from_ms: number
  over_told_ms: number | null
}

/** The stock of a customer of each licence. */
export interface LicenceStockRow {
  inventory_id: string
  totals: JsonText
}

export interface UnitLicenceRow {
  unit_id: string
  licence: string
  /** Hours; of every other licence 1 or 0. */
  amount: number
}

export interface UsageProfileRow {
  id: string
  inventory_id: string
  name: string
  type: string
  /** MBytes or hours, by the type. */
  monthly_limit: number
  reset_day: number
  is_default: Flag
  created_ms: number
}

export interface UnitUsageProfileRow {
  unit_id: string
  profile_id: string
}

/** The usage of a unit since its count started again. */
export interface UsageCountRow {
  unit_id: string
  from_ms: number
  bytes: number
  sending_ms: number
}

/** The monitoring of a modem's data use, and its count since the reset day. */
export interface ModemDataRow {
  unit_id: string
  port: number
  mode: string
  /** MBytes or hours, by the mode. */
  use_limit: number
  reset_day: number
  from_ms: number
  bytes: number
  connected_ms: number
}

/** A picture returned to a unit; `live_ms` is when it first arrived there. */
export interface VideoReturnRow {
  id: string
  unit_id: string
  channel_id: string | null
  inventory_id: string
  started_ms: number
  started_by: string
  live_ms: number | null
  stopped_ms: number | null
  stopped_by: string | null
  stop_reason: string | null
}

/** Bytes that a transmission sent in the quarter of an hour that begins then. */
export interface TransmissionUsageRow {
  transmission_id: string
  from_ms: number
  bytes: number
}
