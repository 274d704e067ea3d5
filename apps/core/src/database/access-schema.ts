// The shape of the tables for access: sign-ins and their proofs, keys, and support access.
import type { Flag, JsonText } from './column-types.ts'

export interface SecondFactorRow {
  id: string
  user_id: string
  kind: string
  name: string
  secret: string
  credential_id: string | null
  transports: JsonText
  counter: number
  created_ms: number
  last_used_ms: number | null
}

export interface RecoveryCodeRow {
  user_id: string
  code_hash: string
}

export interface ApiKeyRow {
  id: string
  inventory_id: string
  user_id: string
  name: string
  role: string
  /** The first characters of the key. */
  prefix: string
  secret_hash: string
  created_ms: number
  expires_ms: number | null
  last_used_ms: number | null
}

/** It is of the customer that the device is of. */
export interface AccessApprovalRow {
  id: string
  device_id: string
  /** User names, as they were then. */
  granted_by: string
  start_ms: number
  end_ms: number
  used_ms: number | null
  used_by: string | null
}

export interface SignInRow {
  id: string
  user_id: string
  token_hash: string
  csrf_hash: string
  address: string
  agent: string
  created_ms: number
  last_seen_ms: number
  expires_ms: number
  /** The provider's id token, for a sign-in at a provider; it names the sign-in that ends there too. */
  openid_token: string | null
}

/** The user here who belongs to an identity at a provider. */
export interface OpenidIdentityRow {
  issuer: string
  subject: string
  user_id: string
  created_ms: number
}

/** A log that a device sends or has sent; `device_id` is the sender. */
export interface DeviceLogRow {
  id: string
  unit_id: string | null
  channel_id: string | null
  device_id: string
  name: string
  description: string
  requested_by: string
  started_ms: number
  state: string
  bytes: number
}

/** It is of the customer that the unit was of when it was opened. */
export interface SupportCaseRow {
  id: string
  unit_id: string
  inventory_id: string
  unit_name: string
  description: string
  opened_by: string
  email: string
  with_logs: Flag
  opened_ms: number
}

/** The newest upgrade of a device. */
export interface UpgradeRow {
  device_id: string
  /** The id that the device gets for it. */
  id: string
  version_id: string
  version: string
  state: string
  percent: number
  result_code: number | null
  reason: string | null
  cause: JsonText | null
  asked_by: string
  changed_ms: number
}

export interface DeviceHistoryRow {
  id: string
  kind: string
  action: string
  device_id: string
  device_name: string
  target_id: string
  target_name: string
  made_by: string | null
  at_ms: number
}

/** A file of many upgrades. */
export interface BatchUpgradeRow {
  id: string
  made_by: string
  made_ms: number
  /** null: only checked. */
  started_ms: number | null
}

/** A line of it; the columns that may be null are of its run. */
export interface BatchUpgradeRowRow {
  batch_id: string
  line: number
  serial_number: string
  target_version: string
  device_id: string | null
  device_name: string | null
  from_version: string | null
  upgrade_id: string | null
  state: string | null
  reason: string | null
  cause: JsonText | null
}

export interface DeviceLogPartRow {
  log_id: string
  at: number
  text: string
}

/** One guess that counts; see doors/attempts.ts. */
export interface AttemptRow {
  id: string
  key: string
  at_ms: number
}

/** A sign-in that waits for its second step; `sealed` holds the data that its owner needs to finish it. */
export interface ChallengeRow {
  secret_hash: string
  kind: string
  user_id: string
  sealed: string
  tries_left: number
  until_ms: number
}

export interface UserInventoryRow {
  user_id: string
  inventory_id: string
}

export interface UserGroupRow {
  user_id: string
  group_id: string
}
