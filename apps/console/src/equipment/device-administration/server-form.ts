// The form of a server: its fields, and the part of them that is sent.
import type {
  AdministeredServer,
  NewServer,
  ServerChange,
} from '@backhaul/contract/nouns/device-administration'
import {
  defaultServerSettings,
  MAX_CHANNELS,
  ServerSettings,
  type ServerType,
} from '@backhaul/contract/nouns/servers'
import { changedFields } from '../../kit/changed-fields.ts'
import { likelyInventory } from '../../people/inventory-names/inventory-names.ts'
import type { DeviceDraft } from './DeviceFields.tsx'

export interface ServerDraft extends DeviceDraft {
  type: ServerType
  address: string
  inventories: string[]
  settings: ServerSettings
  /** The number in its licence, or empty. */
  outputChannels: string | number
  /** A day, or empty. */
  expiration: string
}

export function draftOf(server: AdministeredServer | null, type: ServerType): ServerDraft {
  if (!server)
    return {
      type,
      name: '',
      comment: '',
      serialNumber: '',
      groups: [],
      inventory: likelyInventory(),
      address: '',
      inventories: [],
      ownership: null,
      expiration: '',
      outputChannels: '',
      settings: { ...defaultServerSettings, maxChannels: MAX_CHANNELS },
    }
  const { name, comment, serialNumber, inventory, ownership, address, inventories, expiration } = server
  const settings = Object.fromEntries(
    ServerSettings.keyof().options.map((key) => [key, server[key]]),
  ) as ServerSettings
  return {
    type: server.type,
    name,
    comment,
    serialNumber,
    inventory,
    address,
    inventories,
    settings,
    ownership,
    groups: server.groups.map(({ uid }) => uid),
    expiration: expiration?.slice(0, 10) ?? '',
    outputChannels: server.outputChannels ?? '',
  }
}

export function recordOf({
  settings: _,
  expiration: __,
  ownership: ___,
  outputChannels: ____,
  ...record
}: ServerDraft): NewServer {
  return record
}

export function changesOf(before: ServerDraft, draft: ServerDraft): ServerChange {
  const { name, comment, groups, ownership, address, inventories } = draft
  const { outputChannels, expiration, ...changes } = changedFields(before, {
    name,
    comment,
    groups,
    ownership,
    address,
    inventories,
    outputChannels: draft.outputChannels,
    expiration: draft.expiration,
  })
  const settings = changedFields(before.settings, draft.settings)
  return {
    ...changes,
    ...(Object.keys(settings).length > 0 && { settings }),
    ...(outputChannels !== undefined && {
      outputChannels: outputChannels === '' ? null : Number(outputChannels),
    }),
    ...(expiration !== undefined && {
      expiration: expiration === '' ? null : `${expiration}T00:00:00.000Z`,
    }),
  }
}
