// The shape of the tables of administrators' settings for groups, channels and the whole installation; the rest is in schema.ts.
import type { Flag, JsonText } from './column-types.ts'

/** A recipient of a group's alerts by e-mail. */
export interface GroupRecipientRow {
  group_id: string
  /** Lower case: two ways to write an address are one recipient. */
  email_key: string
  email: string
  verified_ms: number | null
  /** The token of the newest link. */
  token_hash: string
  link_sent_ms: number
  /** The time of the newest e-mail about alerts. */
  mailed_ms: number
}

/** One of a child of the system settings. */
export interface SystemSettingRow {
  id: string
  child: string
  /** The key in lower case, unique within a child. */
  unique_key: string
  data: JsonText
  created_ms: number
}

/** The place where a channel goes live, by the last choice. */
export interface ChannelSocialMediaRow {
  channel_id: string
  details: JsonText
  /** Sealed. */
  stream_key: string | null
  preview_key: string | null
}

/** A picture that is drawn over the outputs of channels. */
export interface OverlayRow {
  id: string
  inventory_id: string
  name: string
  width: number
  height: number
  /** The file, in base64. */
  png: string
  created_ms: number
}

export interface OrganizationRow {
  id: string
  name: string
  external_uid: string
  default_role: string | null
  /** Null: as many as there are. */
  max_users: number | null
}

export interface OrganizationInventoryRow {
  organization_id: string
  inventory_id: string
}

/** Whether the database can still store anything. */
export interface WriteCheckRow {
  id: string
  checked_ms: number
  filler: Uint8Array
}

/** A service that one device has in addition to its own. */
export interface DeviceServiceRow {
  id: string
  device_id: string
  service: string
  expires_ms: number | null
  is_over: Flag
  created_ms: number
}

/** The number of rows of a table that an owner has, such as a customer; on PostgreSQL the sum of several rows. */
export interface RowCountRow {
  table_name: string
  owner: string
  count: number
}
