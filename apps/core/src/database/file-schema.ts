// The shape of the tables of files.
import type { Flag, JsonText } from './schema.ts'

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
  /** Where and under which story the unit was when the file began. */
  origin: JsonText
}
