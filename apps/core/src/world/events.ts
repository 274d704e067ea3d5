// Events that a feature sends upward: later features listen, none is called by an earlier one.
import type { WireCause } from '@backhaul/contract/define/refusals'
import { type FromDevice, fromDevice, type Hello } from '@backhaul/contract/gateway/gateway'
import type { StoredFile, StoredFileKey } from '@backhaul/contract/gateway/servers'
import type { DeviceKind } from '@backhaul/contract/gateway/shared'
import type { Command } from '@backhaul/contract/nouns/commands'
import type { UpgradeState } from '@backhaul/contract/nouns/upgrades'
import type { Log } from '@backhaul/runtime/log'

/** A message of a connected device after its hello, by the type of the message. */
type DeviceMessages = {
  [Type in FromDevice['type'] as `device:${Type}`]: {
    deviceId: string
    kind: DeviceKind
    message: Extract<FromDevice, { type: Type }>
  }
}

/** Every event and what it carries. */
export interface EventMap extends DeviceMessages {
  /** A sign-in ended by sign-out, expiry or an administrator: its sockets close. */
  signInEnded: { signInId: string; userId: string }
  /** A user's rights, password or account changed so that they must sign in again, except in the named sign-in. */
  userShutOut: { userId: string; exceptSignInId?: string | undefined }
  /** A user's roles, customers or groups changed: what their sockets may read is decided again. */
  userScopeChanged: { userId: string }
  /** A user was given a permission of their own, or lost it. */
  userPermissionsChanged: { userId: string }
  /** A device got its identity. */
  deviceRegistered: { deviceId: string; kind: DeviceKind }
  /** A device was deleted; nothing of it is left in the database. */
  deviceRemoved: { deviceId: string; kind: DeviceKind; name: string; inventoryId: string }
  /** A device was moved to another customer. */
  deviceMoved: { deviceId: string; kind: DeviceKind; fromInventoryId: string }
  /** Data of a device that only core stores has changed: its accounts, licences, codes and choices. Features write its history. */
  deviceDetailsChanged: { deviceId: string; kind: DeviceKind }
  /** The name or the properties of a customer changed. */
  inventoryChanged: { inventoryId: string }
  /** A group has another name. */
  groupRenamed: { groupId: string }
  /** A unit became a member of a group, or left it. */
  deviceGrouped: { deviceId: string; groupId: string; isMember: boolean }
  /** A device is connected and greeted; its full report follows. */
  deviceConnected: { deviceId: string; kind: DeviceKind; hello: Hello }
  /** A device disconnected, or did not reconnect after a restart of core. */
  deviceDisconnected: { deviceId: string; kind: DeviceKind }
  /** A second machine tried to use the identity of a device that is alive. */
  twinRefused: { deviceId: string; address: string }
  /** An upgrade of a device has another state; cleared and replaced: another request ended it while it was pending. */
  upgradeChanged: {
    deviceId: string
    upgradeId: string
    state: UpgradeState | 'cleared' | 'replaced'
    reason: string | null
    cause?: WireCause | undefined
  }
  /** The address of a unit's position was found, or is another one. */
  addressFound: { unitId: string }
  /** A unit's own report or connection changed what core knows of it; not sent for figures alone. */
  unitChanged: { unitId: string }
  /** Another transmission of a unit is wanted, or none any more. */
  transmissionChanged: { unitId: string }
  /** A unit sent its figures: what they add to its use. */
  unitUsed: {
    unitId: string
    transmissionId: string | null
    /** Over all links, repairs included. */
    sentBytes: number
    /** Both directions over the links that cost money. */
    modemBytes: number
    /** With a picture at the server. */
    streamingMs: number
  }
  /** A unit has used more than its usage profile allows; sent again each minute. */
  unitOverUsage: { unitId: string }
  /** A command was refused by the unit, or not confirmed in time. */
  commandFailed: { command: Command }
  /** A channel's status, or what it receives or can receive, changed. */
  channelChanged: { channelId: string }
  /** Files of a server are stored as it reported them; those of `removed` no longer exist. */
  filesStored: { serverId: string; files: readonly StoredFile[]; removed: readonly StoredFileKey[] }
  /** A file will be reported under another name. */
  fileRenamed: { from: StoredFileKey; to: StoredFileKey }
  /** An audio room has other units or channels. */
  audioRoomChanged: { inventoryId: string; roomId: string }
  /** An IFB belongs to another channel, or other audio rooms to an IFB. */
  ifbsChanged: { inventoryId: string | null }
  /** Units, channels or users joined or left a group; `joined` when one of them joined and nothing else changed. */
  groupChanged: {
    groupId: string
    joined?: { kind: 'unit' | 'channel' | 'user'; memberId: string } | undefined
  }
  /** A group was made or removed: the scope of users who administer all groups of a customer changes. */
  groupsChanged: { groupId: string; inventoryId: string; isThere: boolean }
  /** A user's right to follow an object may have ended with its membership. */
  membersLeft: { groupId: string }
}

export interface Events {
  emit<Kind extends keyof EventMap>(kind: Kind, event: EventMap[Kind]): void
  /** Answers the function that stops listening. */
  on<Kind extends keyof EventMap>(kind: Kind, listener: (event: EventMap[Kind]) => void): () => void
}

const noListeners: readonly never[] = []

/** A listener that throws does not affect the sender or the other listeners. */
export function createEvents(log: Log): Events {
  /** In lists, since going through a set makes garbage for each event; one is replaced when it changes. */
  const listeners = new Map<keyof EventMap, readonly ((event: never) => void)[]>()
  return {
    emit(kind, event) {
      for (const listener of listeners.get(kind) ?? noListeners) {
        try {
          ;(listener as (given: typeof event) => void)(event)
        } catch (error) {
          log.error({ err: error, kind }, 'event listener failed')
        }
      }
    },
    on(kind, listener) {
      listeners.set(kind, [...(listeners.get(kind) ?? noListeners), listener])
      return () =>
        void listeners.set(
          kind,
          (listeners.get(kind) ?? noListeners).filter((one) => one !== listener),
        )
    },
  }
}

/** By type of message: a name that is put together for each message would have to be looked up by its letters. */
const eventOf = Object.fromEntries(fromDevice.map(({ type }) => [type, `device:${type}`])) as Record<
  FromDevice['type'],
  keyof DeviceMessages
>

/** Sends to the listeners of this type of message. */
export function emitMessage(events: Events, deviceId: string, kind: DeviceKind, message: FromDevice): void {
  events.emit(eventOf[message.type], { deviceId, kind, message } as never)
}
