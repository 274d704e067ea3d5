// The shape of the tables of files.
import type { Flag, JsonText } from './column-types.ts'

export interface ChannelFileRow {
  channel_id: string
  /** `-` where an encoder dialled in; the unit may be gone. */
  unit_id: string
  file_name: string
  server_id: string
  root_directory: string
  size_bytes: number
  modified_ms: number
  is_transferring: Flag
  media: JsonText | null
  /** The place and the story of the unit when the file began. */
  origin: JsonText
  /** The format of the document that its server stores next to it. */
  document: string | null
}

/** A file that a unit sends, or has sent, to the server of a channel. */
export interface UnitUploadRow {
  id: string
  unit_id: string
  channel_id: string | null
  /** The customer of the unit, as it was then. */
  inventory_id: string
  path: string
  file_name: string
  state: string
  size_bytes: number | null
  sent_bytes: number
  started_by: string
  started_ms: number
  ended_ms: number | null
  reason: string | null
  cause: JsonText | null
  /** Null once it is removed. */
  server_id: string | null
  /** The modification time of the file on the unit when the upload began. */
  modified_ms: number | null
  /** The time at which it was interrupted because an end was disconnected. */
  waiting_since_ms: number | null
  /** Entered before the upload; null: that of the unit. */
  metadata: JsonText | null
}

/** A server that a customer sends files to. */
export interface FileTargetRow {
  id: string
  inventory_id: string
  name: string
  settings: JsonText
  /** Sealed. */
  secret: string | null
  /** The time from which finished files are sent automatically; null: they are not. */
  sends_since_ms: number | null
  created_ms: number
}

export interface FileSendingRow {
  id: string
  target_id: string
  channel_id: string
  unit_id: string
  file_name: string
  state: string
  size_bytes: number
  sent_bytes: number
  tries: number
  /** The time at which it may be tried. */
  due_ms: number
  /** Null where it began by itself. */
  started_by: string | null
  started_ms: number
  ended_ms: number | null
  /** The name of the file at the target, and the part that is there. */
  progress: JsonText | null
  reason: string | null
  cause: JsonText | null
}
