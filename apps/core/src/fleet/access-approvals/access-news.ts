// Notifies those who follow the support access to a device, or to all of them: it was granted, used or ended, or it expired.
import { ALL_DEVICES, needsAccessApproval } from '@backhaul/contract/nouns/access-approvals'
import type { Channel } from '@backhaul/contract/nouns/channels'
import { accessTopic } from '@backhaul/contract/push/access-approvals'
import type { Clock, Timer } from '@backhaul/runtime/clock'
import { reads } from '../../database/scope.ts'
import type { PushReaderRights } from '../../doors/push/push-topic.ts'
import type { Live, LiveObject } from '../../platform/live/live.ts'
import type { Events } from '../../world/events.ts'
import type { Channels } from '../channels/channels.ts'
import type { Devices } from '../devices/devices.ts'

export interface AccessNews {
  /** Now. */
  changed(deviceId: string): void
  /** It was granted until then; a time that is set later replaces this one. */
  expires(deviceId: string, endMs: number): void
  /** It was ended before. */
  expiresNoMore(deviceId: string): void
  stop(): void
}

interface Needs {
  clock: Clock
  events: Events
  devices: Devices
  channels: Channels
  live: Live
}

interface Fields {
  accessChangedAt: number | null
}

export function createAccessNews({ clock, events, devices, channels, live }: Needs): AccessNews {
  const topics = new Map<string, LiveObject<Fields>>()
  const ends = new Map<string, Timer>()

  /** Readers who may list the approvals of the device; for a server also those whose actions on one of its channels need one. */
  function mayKnow({ roles, scope }: PushReaderRights, deviceId: string): boolean {
    const device = devices.get(deviceId)
    if (!device) return false
    const { isReadable } = devices.memberships
    if (device.kind === 'unit') return isReadable(scope, 'unit', deviceId, device.inventoryId)
    if (reads(scope, { inventoryId: device.inventoryId, groupIds: [] })) return true
    const sees = ({ uniqueId, inventoryId }: Channel) => isReadable(scope, 'channel', uniqueId, inventoryId)
    return needsAccessApproval(roles) && channels.ofServer(deviceId).some(sees)
  }

  function topicOf(uid: string): LiveObject<Fields> {
    const known = topics.get(uid)
    if (known) return known
    const made = live.add<Fields>(accessTopic, uid, { accessChangedAt: null }, (reader) =>
      uid === ALL_DEVICES ? reader.scope.everything : mayKnow(reader, uid),
    )
    topics.set(uid, made)
    return made
  }

  // A fleet has tens of thousands of devices, and few are followed.
  live.addOnRequest(accessTopic, (uid) => {
    if (uid === ALL_DEVICES || devices.get(uid)) topicOf(uid)
  })

  const note = (uid: string) => void topicOf(uid).set({ accessChangedAt: clock.nowMs() })

  function changed(deviceId: string): void {
    note(deviceId)
    note(ALL_DEVICES)
  }

  function expiresNoMore(deviceId: string): void {
    clock.clearTimeout(ends.get(deviceId))
    ends.delete(deviceId)
  }

  function expires(deviceId: string, endMs: number): void {
    const atEnd = () => {
      // The wall clock, by which it expires, may have been set back meanwhile.
      if (clock.nowMs() < endMs) return expires(deviceId, endMs)
      ends.delete(deviceId)
      changed(deviceId)
    }
    clock.clearTimeout(ends.get(deviceId))
    ends.set(deviceId, clock.setTimeout(atEnd, endMs - clock.nowMs()))
  }

  // Its approvals end with its customer, and are gone with itself.
  events.on('deviceMoved', ({ deviceId }) => {
    expiresNoMore(deviceId)
    changed(deviceId)
  })
  events.on('deviceRemoved', ({ deviceId }) => {
    expiresNoMore(deviceId)
    topics.delete(deviceId)
    live.remove(accessTopic, deviceId)
    note(ALL_DEVICES)
  })

  return {
    changed,
    expires,
    expiresNoMore,
    stop() {
      for (const timer of ends.values()) clock.clearTimeout(timer)
    },
  }
}
