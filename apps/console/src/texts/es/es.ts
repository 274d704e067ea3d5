// All Spanish words; those of the first page and of the list of units come before the others.
import type { english } from '../en/en.ts'
import type { SameKeys } from '../same-keys.ts'
import accessApprovals from './access-approvals.json' with { type: 'json' }
import account from './account.json' with { type: 'json' }
import ai from './ai.json' with { type: 'json' }
import alerts from './alerts.json' with { type: 'json' }
import apiKeys from './api-keys.json' with { type: 'json' }
import audioRooms from './audio-rooms.json' with { type: 'json' }
import audit from './audit.json' with { type: 'json' }
import batchUpgrades from './batch-upgrades.json' with { type: 'json' }
import cameras from './cameras.json' with { type: 'json' }
import cdnStreams from './cdn-streams.json' with { type: 'json' }
import channels from './channels.json' with { type: 'json' }
import databridge from './databridge.json' with { type: 'json' }
import destinations from './destinations.json' with { type: 'json' }
import deviceAdministration from './device-administration.json' with { type: 'json' }
import deviceHistories from './device-histories.json' with { type: 'json' }
import deviceLogs from './device-logs.json' with { type: 'json' }
import entities from './entities.json' with { type: 'json' }
import feeds from './feeds.json' with { type: 'json' }
import fileTargets from './file-targets.json' with { type: 'json' }
import files from './files.json' with { type: 'json' }
import { first } from './first-texts.ts'
import goLive from './go-live.json' with { type: 'json' }
import groups from './groups.json' with { type: 'json' }
import ingest from './ingest.json' with { type: 'json' }
import intercom from './intercom.json' with { type: 'json' }
import inventories from './inventories.json' with { type: 'json' }
import invitations from './invitations.json' with { type: 'json' }
import ipPipe from './ip-pipe.json' with { type: 'json' }
import licences from './licences.json' with { type: 'json' }
import linkExtenders from './link-extenders.json' with { type: 'json' }
import { list } from './list-texts.ts'
import map from './map.json' with { type: 'json' }
import multiview from './multiview.json' with { type: 'json' }
import outbox from './outbox.json' with { type: 'json' }
import overlays from './overlays.json' with { type: 'json' }
import p2p from './p2p.json' with { type: 'json' }
import remoteActions from './remote-actions.json' with { type: 'json' }
import reports from './reports.json' with { type: 'json' }
import services from './services.json' with { type: 'json' }
import shares from './shares.json' with { type: 'json' }
import { signIn } from './sign-in-texts.ts'
import smpte from './smpte.json' with { type: 'json' }
import softwareVersions from './software-versions.json' with { type: 'json' }
import stories from './stories.json' with { type: 'json' }
import systemMessages from './system-messages.json' with { type: 'json' }
import systemSettings from './system-settings.json' with { type: 'json' }
import unitFiles from './unit-files.json' with { type: 'json' }
import unitNetworks from './unit-networks.json' with { type: 'json' }
import unitSettings from './unit-settings.json' with { type: 'json' }
import upgrades from './upgrades.json' with { type: 'json' }
import usageProfiles from './usage-profiles.json' with { type: 'json' }
import users from './users.json' with { type: 'json' }
import videoReturn from './video-return.json' with { type: 'json' }
import whatsNew from './whats-new.json' with { type: 'json' }

const texts = {
  ...first,
  ...list,
  ...signIn,
  account,
  fileTargets,
  feeds,
  files,
  ingest,
  inventories,
  invitations,
  alerts,
  batchUpgrades,
  cameras,
  intercom,
  ipPipe,
  channels,
  databridge,
  destinations,
  overlays,
  smpte,
  deviceAdministration,
  entities,
  unitFiles,
  unitNetworks,
  unitSettings,
  deviceHistories,
  deviceLogs,
  groups,
  users,
  map,
  multiview,
  softwareVersions,
  stories,
  ai,
  outbox,
  audit,
  accessApprovals,
  apiKeys,
  reports,
  upgrades,
  usageProfiles,
  services,
  licences,
  shares,
  audioRooms,
  videoReturn,
  systemMessages,
  systemSettings,
  goLive,
  cdnStreams,
  p2p,
  linkExtenders,
  whatsNew,
  remoteActions,
}

/** A key that English does not have, or that is missing here, is an error of types. */
export const spanish: SameKeys<typeof texts, typeof english> = texts
