// The shape of every table, once, for both engines: ids and JSON are text, times integer milliseconds, flags 0 or 1.
import type { Kysely, Transaction } from 'kysely'
import type {
  AccessApprovalRow,
  ApiKeyRow,
  AttemptRow,
  BatchUpgradeRow,
  BatchUpgradeRowRow,
  ChallengeRow,
  DeviceHistoryRow,
  DeviceLogPartRow,
  DeviceLogRow,
  OpenidIdentityRow,
  RecoveryCodeRow,
  SecondFactorRow,
  SignInRow,
  SupportCaseRow,
  UpgradeRow,
  UserGroupRow,
  UserInventoryRow,
} from './access-schema.ts'
import type { AiMarkRow, AiSessionRow, AiSettingsRow } from './ai-schema.ts'
import type { Flag, JsonText } from './column-types.ts'
import type {
  AudioRoomRow,
  ChannelIngestRow,
  ChannelInterfaceRow,
  IngestAccountRow,
  PublisherRow,
  SharedChannelRow,
  ShareFolderRow,
  ShareLinkRow,
  SubscriberRow,
} from './communication-schema.ts'
import type { ChannelFileRow, FileSendingRow, FileTargetRow, UnitUploadRow } from './file-schema.ts'
import type {
  ChannelSocialMediaRow,
  DeviceServiceRow,
  GroupRecipientRow,
  OrganizationInventoryRow,
  OrganizationRow,
  OverlayRow,
  RowCountRow,
  SystemSettingRow,
  WriteCheckRow,
} from './settings-schema.ts'
import type { MetadataPromptRow, StoryRow, StoryUnitRow } from './story-schema.ts'
import type { LinkExtenderRow } from './unit-schema.ts'
import type {
  InventoryServiceRow,
  LicenceStockRow,
  ModemDataRow,
  TransmissionUsageRow,
  UnitLicenceRow,
  UnitUsageProfileRow,
  UsageCountRow,
  UsageProfileRow,
  VideoReturnRow,
} from './usage-schema.ts'

export interface InventoryRow {
  id: string
  name: string
  parent_id: string | null
  region: string
  customer_id: string
  sip_server: string
  cloud_provider: string | null
  properties: JsonText
  created_ms: number
}

export interface GroupRow {
  id: string
  inventory_id: string
  name: string
  registration_key: string
  unit_auto_association: Flag
  global_auto_association: Flag
  key_schedule: string
  key_made_ms: number
  adhoc_mode: string
  /** Thresholds, default configuration. */
  details: JsonText
  created_ms: number
}

export interface GroupUnitRow {
  group_id: string
  unit_id: string
  expires_ms: number | null
}

export interface DestinationRow {
  id: string
  channel_id: string
  inventory_id: string
  name_key: string
  stream_key: string | null
  address_key: string
  settings: JsonText
  created_ms: number
}

export interface InventoryChannelRow {
  inventory_id: string
  channel_id: string
}

export interface GroupChannelRow {
  group_id: string
  channel_id: string
}

export interface UserRow {
  id: string
  username: string
  /** Lower case: usernames are compared without case (GAP-USER-05). */
  username_key: string
  first_name: string
  last_name: string
  email: string | null
  email_key: string | null
  user_type: string
  roles: JsonText
  label: string
  active: Flag
  sso: Flag
  oda: Flag
  password_hash: string
  password_policy: string
  password_changed_ms: number
  password_expires_ms: number | null
  contact: JsonText
  consents: JsonText
  consent_dates: JsonText
  services: JsonText
  created_ms: number
}

/** A password that a user had before the present one. */
export interface PastPasswordRow {
  user_id: string
  password_hash: string
  changed_ms: number
}

export interface WhatsNewRow {
  id: string
  /** A day, such as 2026-11-21. */
  date: string
  title: string
  text: string
  created_ms: number
  published_ms: number
}

export interface PreferencesRow {
  user_id: string
  body: JsonText
  updated_ms: number
}

export interface ClientNotificationRow {
  id: string
  body: string
  is_global: Flag
  inventory_id: string | null
  intervals: JsonText
  created_ms: number
  expires_ms: number
}

export interface DeviceRow {
  id: string
  kind: 'unit' | 'server'
  inventory_id: string
  name: string
  comment: string
  product_type: string
  serial_number: string
  sw_version: string
  token_hash: string
  wanted: JsonText
  wanted_revision: number
  /** The administrative data of a device, which is not sent to it. */
  details: JsonText
  registered_ms: number
}

/** The narrow, often written half of a device: its last report, stored every few seconds. */
export interface DeviceStateRow {
  device_id: string
  report: JsonText
  reported_ms: number
  last_seen_ms: number
}

export interface PairingCodeRow {
  code_hash: string
  group_id: string
  /** The user who made it. */
  user_id: string
  created_ms: number
  expires_ms: number
  used_by_device_id: string | null
}

export interface MailRow {
  id: string
  kind: string
  /** Null for the installation's own. */
  inventory_id: string | null
  recipient: string
  subject: string
  text: string
  state: string
  tries: number
  /** The server's last answer. */
  fault: string
  /** The time of the next attempt. */
  due_ms: number
  created_ms: number
  sent_ms: number | null
}

export interface ChannelRow {
  id: string
  server_id: string
  inventory_id: string
  name: string
  kind: string
  input_type: string | null
  allocated_unit_id: string | null
  session_id: string | null
  allocated_ms: number | null
  settings: JsonText
  created_ms: number
}

export interface TransmissionRow {
  id: string
  unit_id: string
  channel_id: string | null
  group_id: string | null
  inventory_id: string
  delay_ms: number
  started_ms: number
  started_by: string | null
  live_ms: number | null
  stopped_ms: number | null
  stopped_by: string | null
  stop_reason: string | null
  details: JsonText
}

export interface CommandRow {
  id: string
  device_id: string
  name: string
  args: JsonText
  state: string
  reason: string | null
  cause: JsonText | null
  user_id: string | null
  created_ms: number
  updated_ms: number
  deadline_ms: number
}

export interface UnitEventRow {
  id: string
  unit_id: string
  at_ms: number
  kind: string
  data: JsonText
}

export interface AlertRow {
  id: string
  unit_id: string
  type: string
  severity: string
  data: JsonText
  raised_ms: number
  cleared_ms: number | null
}

export interface SeriesChunkRow {
  unit_id: string
  resolution_ms: number
  from_ms: number
  to_ms: number
  data: Uint8Array
}

export interface FeedChunkRow {
  channel_id: string
  resolution_ms: number
  from_ms: number
  to_ms: number
  data: Uint8Array
}

export interface AuditRow {
  id: string
  at_ms: number
  user_id: string | null
  username: string
  action: string
  object_kind: string
  object_id: string | null
  inventory_id: string | null
  address: string
  result: string
  cause: JsonText | null
  details: JsonText
  api_key: string | null
}

/** A customer that a line is about: of the user who acted, or of the object that they changed. */
export interface AuditCustomerRow {
  line_id: string
  inventory_id: string
  at_ms: number
  of_thing: Flag
}

/** Facts about this installation that must survive a restart, for instance secrets shared with hubs. */
export interface InstallationRow {
  key: string
  value: string
}
export interface Schema {
  write_checks: WriteCheckRow
  row_counts: RowCountRow
  channel_files: ChannelFileRow
  file_targets: FileTargetRow
  file_sendings: FileSendingRow
  inventories: InventoryRow
  inventory_services: InventoryServiceRow
  licence_stocks: LicenceStockRow
  unit_licences: UnitLicenceRow
  link_extenders: LinkExtenderRow
  groups: GroupRow
  group_units: GroupUnitRow
  group_channels: GroupChannelRow
  group_recipients: GroupRecipientRow
  inventory_channels: InventoryChannelRow
  destinations: DestinationRow
  users: UserRow
  past_passwords: PastPasswordRow
  organizations: OrganizationRow
  organization_inventories: OrganizationInventoryRow
  user_inventories: UserInventoryRow
  user_groups: UserGroupRow
  sign_ins: SignInRow
  attempts: AttemptRow
  challenges: ChallengeRow
  openid_identities: OpenidIdentityRow
  second_factors: SecondFactorRow
  recovery_codes: RecoveryCodeRow
  api_keys: ApiKeyRow
  access_approvals: AccessApprovalRow
  device_logs: DeviceLogRow
  support_cases: SupportCaseRow
  device_histories: DeviceHistoryRow
  device_services: DeviceServiceRow
  batch_upgrades: BatchUpgradeRow
  batch_upgrade_rows: BatchUpgradeRowRow
  device_log_parts: DeviceLogPartRow
  unit_uploads: UnitUploadRow
  upgrades: UpgradeRow
  whats_new: WhatsNewRow
  stories: StoryRow
  ai_settings: AiSettingsRow
  ai_sessions: AiSessionRow
  ai_marks: AiMarkRow
  story_units: StoryUnitRow
  metadata_prompts: MetadataPromptRow
  system_settings: SystemSettingRow
  channel_social_media: ChannelSocialMediaRow
  preferences: PreferencesRow
  client_notifications: ClientNotificationRow
  devices: DeviceRow
  device_states: DeviceStateRow
  pairing_codes: PairingCodeRow
  mails: MailRow
  channels: ChannelRow
  transmissions: TransmissionRow
  transmission_usage: TransmissionUsageRow
  video_returns: VideoReturnRow
  commands: CommandRow
  unit_events: UnitEventRow
  alerts: AlertRow
  series_chunks: SeriesChunkRow
  feed_chunks: FeedChunkRow
  audit: AuditRow
  audit_customers: AuditCustomerRow
  usage_profiles: UsageProfileRow
  unit_usage_profiles: UnitUsageProfileRow
  usage_counts: UsageCountRow
  modem_data: ModemDataRow
  publishers: PublisherRow
  shared_channels: SharedChannelRow
  share_folders: ShareFolderRow
  subscribers: SubscriberRow
  audio_rooms: AudioRoomRow
  overlays: OverlayRow
  channel_interfaces: ChannelInterfaceRow
  ingest_accounts: IngestAccountRow
  channel_ingests: ChannelIngestRow
  share_links: ShareLinkRow
  installation: InstallationRow
}

/** The open database, and what a transaction passes to its body. */
export type Database = Kysely<Schema>
export type DatabaseTransaction = Transaction<Schema>
/** The argument of a table file: its queries run alone or inside a transaction. */
export type Queries = Database | DatabaseTransaction
