// Brings a database to the newest shape: each migration once, all of them in one transaction.
import { CannotStart, WRONG_SETTINGS_CODE } from '@backhaul/runtime/settings'
import { sql } from 'kysely'
import { holdMigrations } from './dialect.ts'
import * as firstTables from './migrations/0001-first-tables.ts'
import * as pairingCodes from './migrations/0002-pairing-codes.ts'
import * as people from './migrations/0003-people.ts'
import * as mails from './migrations/0004-mails.ts'
import * as usage from './migrations/0005-usage.ts'
import * as auditCustomers from './migrations/0006-audit-customers.ts'
import * as transmissionUsage from './migrations/0007-transmission-usage.ts'
import * as openid from './migrations/0009-openid.ts'
import * as sms from './migrations/0010-sms.ts'
import * as listOrders from './migrations/0012-list-orders.ts'
import * as services from './migrations/0013-services.ts'
import * as licences from './migrations/0014-licences.ts'
import * as secondFactors from './migrations/0015-second-factors.ts'
import * as registrationKeys from './migrations/0016-registration-keys.ts'
import * as membershipEnds from './migrations/0017-membership-ends.ts'
import * as apiKeys from './migrations/0024-api-keys.ts'
import * as accessApprovals from './migrations/0025-access-approvals.ts'
import * as whatsNew from './migrations/0026-whats-new.ts'
import * as stories from './migrations/0030-stories.ts'
import * as ai from './migrations/0031-ai.ts'
import * as channelFiles from './migrations/0034-channel-files.ts'
import * as channelInventories from './migrations/0038-channel-inventories.ts'
import * as destinations from './migrations/0039-destinations.ts'
import * as videoReturns from './migrations/0046-video-returns.ts'
import * as deviceLogs from './migrations/0050-device-logs.ts'
import * as shares from './migrations/0054-shares.ts'
import * as talkback from './migrations/0055-talkback.ts'
import * as groupRecipients from './migrations/0058-group-recipients.ts'
import * as systemSettings from './migrations/0059-system-settings.ts'
import * as upgrades from './migrations/0060-upgrades.ts'
import * as unitUploads from './migrations/0063-unit-uploads.ts'
import * as ingest from './migrations/0066-ingest.ts'
import * as overlays from './migrations/0070-overlays.ts'
import * as linkExtenders from './migrations/0076-link-extenders.ts'
import * as writeChecks from './migrations/0082-write-checks.ts'
import * as attempts from './migrations/0084-attempts.ts'
import * as uploadResuming from './migrations/0090-upload-resuming.ts'
import * as causes from './migrations/0150-causes.ts'
import * as auditCauses from './migrations/0151-audit-causes.ts'
import * as modemData from './migrations/0160-modem-data.ts'
import * as destinationNames from './migrations/0180-destination-names.ts'
import * as fileTargets from './migrations/0210-file-targets.ts'
import * as newsroom from './migrations/0220-newsroom.ts'
import * as metadataPrompts from './migrations/0221-metadata-prompts.ts'
import * as shareLinks from './migrations/0222-share-links.ts'
import * as supportCases from './migrations/0230-support-cases.ts'
import * as batchUpgrades from './migrations/0231-batch-upgrades.ts'
import * as deviceHistories from './migrations/0232-device-histories.ts'
import * as feedSeries from './migrations/0240-feed-series.ts'
import * as deviceServices from './migrations/0241-device-services.ts'
import * as searchIndexes from './migrations/0245-search-indexes.ts'
import * as longLists from './migrations/0250-long-lists.ts'
import * as consentDates from './migrations/0260-consent-dates.ts'
import * as inventoryParents from './migrations/0270-inventory-parents.ts'
import * as keySchedules from './migrations/0280-key-schedules.ts'
import type { Database, Queries } from './schema.ts'

interface Migration {
  name: string
  up(db: Queries): Promise<void>
}

/** In the order of their numbers. */
const migrations: readonly Migration[] = [
  firstTables,
  pairingCodes,
  people,
  mails,
  usage,
  auditCustomers,
  transmissionUsage,
  openid,
  sms,
  listOrders,
  services,
  licences,
  secondFactors,
  registrationKeys,
  membershipEnds,
  apiKeys,
  accessApprovals,
  whatsNew,
  stories,
  ai,
  channelFiles,
  channelInventories,
  destinations,
  videoReturns,
  deviceLogs,
  shares,
  talkback,
  groupRecipients,
  systemSettings,
  upgrades,
  unitUploads,
  ingest,
  overlays,
  linkExtenders,
  writeChecks,
  attempts,
  uploadResuming,
  causes,
  auditCauses,
  modemData,
  destinationNames,
  fileTargets,
  newsroom,
  metadataPrompts,
  shareLinks,
  supportCases,
  batchUpgrades,
  deviceHistories,
  feedSeries,
  deviceServices,
  searchIndexes,
  longLists,
  consentDates,
  inventoryParents,
  keySchedules,
]

/** Safe to run at every start. Answers the names that were new. */
export async function migrate(db: Database): Promise<string[]> {
  return await db.transaction().execute(async (transaction) => {
    await holdMigrations(transaction)
    await sql`create table if not exists migrations (name text primary key)`.execute(transaction)
    const done = await sql<{ name: string }>`select name from migrations`.execute(transaction)
    const names = new Set(done.rows.map((row) => row.name))
    const unknown = [...names].find((name) => !migrations.some((migration) => migration.name === name))
    if (unknown)
      throw new CannotStart(`The database is from a newer release: it has ${unknown}`, WRONG_SETTINGS_CODE)
    const fresh = migrations.filter((migration) => !names.has(migration.name))
    for (const migration of fresh) {
      await migration.up(transaction)
      await sql`insert into migrations (name) values (${migration.name})`.execute(transaction)
    }
    return fresh.map((migration) => migration.name)
  })
}
