// The shape of the tables of shares, audio rooms, interfaces and ingest; the rest is in schema.ts.
import type { Flag, JsonText } from './column-types.ts'

export interface PublisherRow {
  id: string
  inventory_id: string
  group_id: string
  name: string
  share_key: string
  description: string
  created_ms: number
  /** A user name, as it was then. */
  created_by: string
}

/** A channel that a publisher shares now. */
export interface SharedChannelRow {
  publisher_id: string
  channel_id: string
}

/** Root folders are not stored: every group has one. */
export interface ShareFolderRow {
  id: string
  inventory_id: string
  group_id: string
  name: string
}

export interface SubscriberRow {
  id: string
  inventory_id: string
  group_id: string
  /** Null: the root folder of the group. */
  folder_id: string | null
  name: string
  share_key: string
  created_ms: number
}

export interface AudioRoomRow {
  id: string
  inventory_id: string
  name: string
  description: string
  interfaces: JsonText
  units: JsonText
  channels: JsonText
  created_ms: number
}

export interface IngestAccountRow {
  inventory_id: string
  /** Sealed. */
  password: string | null
  default_server_id: string | null
  mapping_name: string | null
  mapping: string | null
  mapping_ms: number | null
  address: string | null
  username: string | null
  /** Null while the sync of the newsroom is off. */
  next_sync_ms: number | null
  last_sync: JsonText | null
}

export interface ShareLinkRow {
  id: string
  channel_id: string
  description: string
  token_hash: string
  /** Sealed. */
  token: string
  starts_ms: number
  ends_ms: number
  active: Flag
  created_by: string
  created_ms: number
}

/** The ingest server of a channel. */
export interface ChannelIngestRow {
  channel_id: string
  server_id: string
}

/** The channel that a tally or an IFB belongs to. */
export interface ChannelInterfaceRow {
  interface_id: string
  kind: string
  channel_id: string
}
