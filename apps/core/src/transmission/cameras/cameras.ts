// Several cameras of one unit: its mode, and the channel of each camera; sending them is a transmission.

import { Conflict, InvalidRequest, NotFound } from '@backhaul/contract/define/errors'
import type { PlainCode } from '@backhaul/contract/define/refusals'
import {
  type CameraMode,
  type MultiCameraMode,
  type MultipleCamera,
  noFeeds,
  noSwitcher,
  type SwitcherChannels,
} from '@backhaul/contract/nouns/cameras'
import { versionRefusal } from '@backhaul/contract/nouns/channels'
import { countRefusal, modeRefusal } from '@backhaul/contract/nouns/multi-camera'
import { unitEvent } from '@backhaul/contract/nouns/unit-events'
import { isStreaming } from '@backhaul/contract/nouns/unit-status'
import type { Unit } from '@backhaul/contract/nouns/units'
import type { Caller } from '../../doors/api/caller.ts'
import type { Channels } from '../../fleet/channels/channels.ts'
import type { DeviceDetails, Devices } from '../../fleet/devices/devices.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Transmissions } from '../transmissions/transmissions.ts'

/** Each answers the id of the command for the unit. Channels are given by id or name. */
export interface Cameras {
  /** Switches to the mode in which each camera goes to its own channel. */
  setFeeds(caller: Caller, unitId: string, feeds: MultipleCamera): Promise<string>
  setGroupChannel(caller: Caller, unitId: string, channel: string): Promise<string>
  /** Switches to the mode of the switcher; with a proxy where a channel for it is given. */
  setSwitcher(caller: Caller, unitId: string, channels: SwitcherChannels): Promise<string>
  /** Sets one of the two channels; the mode is kept. */
  changeSwitcher(caller: Caller, unitId: string, change: Partial<SwitcherChannels>): Promise<string>
  setMode(caller: Caller, unitId: string, mode: CameraMode): Promise<string>
  /** The camera that the switcher shows. */
  setInput(caller: Caller, unitId: string, camera: number): Promise<string>
}

interface Needs {
  devices: Devices
  channels: Channels
  units: Units
  transmissions: Transmissions
}

type Kept = NonNullable<DeviceDetails['cameras']>

export function createCameras({ devices, channels, units, transmissions }: Needs): Cameras {
  /** The id of a channel in the caller's scope that may receive the unit. */
  function idOf(caller: Caller, unit: Unit, name: string | null): string | null {
    if (name === null) return null
    const channel = channels.find(caller.scope, name)
    if (!channel) throw new NotFound('channel')
    if (versionRefusal(channel, unit) !== undefined) throw new Conflict('channel.versionTooLow')
    return channel.uniqueId
  }

  /** A group channel receives by its members. */
  function groupIdOf(caller: Caller, unit: Unit, name: string | null): string | null {
    const id = idOf(caller, unit, name)
    if (id !== null && channels.members(id).length === 0) throw new NotFound('groupChannel')
    return id
  }

  const keptOf = (unitId: string): Kept => devices.get(unitId)?.details.cameras ?? {}

  async function keep(unitId: string, change: (now: Kept) => Kept): Promise<void> {
    await devices.updateDetails(unitId, (now) => ({ ...now, cameras: change(now.cameras ?? {}) }))
    units.addEvent(unitId, 'settings', unitEvent('settings.cameras', {}))
  }

  const enter = (caller: Caller, unitId: string, cameraMode: CameraMode) =>
    transmissions.configure(caller, unitId, { cameraMode })

  return {
    async setFeeds(caller, unitId, feeds) {
      const unit = units.get(caller.scope, unitId)
      requireMode(unit, 'highQuality')
      requireFeedCount(unit, feeds)
      const chosen = feeds.customSelectedChannels.flatMap((name) => idOf(caller, unit, name) ?? [])
      const multipleCamera = {
        ...feeds,
        customSelectedChannels: chosen,
        channel: groupIdOf(caller, unit, feeds.channel),
      }
      requireChannels(multipleCamera, channels.members(multipleCamera.channel ?? ''))
      await keep(unitId, (now) => ({ ...now, multipleCamera }))
      return await enter(caller, unitId, 'highQuality')
    },
    async setGroupChannel(caller, unitId, name) {
      const unit = units.get(caller.scope, unitId)
      requireMode(unit, 'highQuality')
      const channel = groupIdOf(caller, unit, name)
      const { multipleCamera = noFeeds } = keptOf(unitId)
      const next = { ...multipleCamera, channelSelectionMode: 'automaticByServer', channel } as const
      requireChannels(next, channels.members(channel ?? ''))
      await keep(unitId, (now) => ({ ...now, multipleCamera: next }))
      return await enter(caller, unitId, 'highQuality')
    },
    async setSwitcher(caller, unitId, { highQualityChannel, proxyChannel }) {
      const mode = proxyChannel === null ? 'switcher' : 'switcherAndProxy'
      const unit = units.get(caller.scope, unitId)
      requireMode(unit, mode)
      const switcher = {
        highQualityChannel: idOf(caller, unit, highQualityChannel),
        proxyChannel: idOf(caller, unit, proxyChannel),
      }
      requireDifferentChannels(switcher)
      await keep(unitId, (now) => ({ ...now, switcher }))
      return await enter(caller, unitId, mode)
    },
    async changeSwitcher(caller, unitId, change) {
      const unit = units.get(caller.scope, unitId)
      const mode = 'proxyChannel' in change || unit.multiCameraSelectedMode === 'switcherAndProxy'
      requireMode(unit, mode ? 'switcherAndProxy' : 'switcher')
      const ids = Object.entries(change).map(([name, channel]) => [name, idOf(caller, unit, channel)])
      const switcher = { ...noSwitcher, ...keptOf(unitId).switcher, ...Object.fromEntries(ids) }
      requireDifferentChannels(switcher)
      await keep(unitId, (now) => ({ ...now, switcher }))
      return await enter(caller, unitId, mode ? 'switcherAndProxy' : 'switcher')
    },
    async setMode(caller, unitId, mode) {
      const unit = units.get(caller.scope, unitId)
      if (mode === 'single') requireIdle(unit)
      else requireMode(unit, mode)
      return await enter(caller, unitId, mode)
    },
    async setInput(caller, unitId, camera) {
      const unit = units.get(caller.scope, unitId)
      const mode = unit.multiCameraSelectedMode
      if (mode === null || mode === 'highQuality') throw new Conflict('camera.notInMode')
      if (unit.cameras[camera - 1]?.connected !== true) throw Conflict.at('sdiPort', 'camera.notConnected')
      return await transmissions.configure(caller, unitId, { cameraInput: camera })
    },
  }
}

/** How it sends cannot change while it sends. */
function requireIdle(unit: Unit): void {
  if (unit.transmission !== null || isStreaming(unit)) throw new Conflict('unit.busy')
}

function requireMode(unit: Unit, mode: MultiCameraMode): void {
  const closed = modeRefusal(unit, mode)
  if (closed !== undefined) throw new Conflict(closed)
  requireIdle(unit)
}

function requireFeedCount(unit: Unit, { numberOfFeeds }: MultipleCamera): void {
  const tooMany = countRefusal(unit, 'highQuality', numberOfFeeds)
  if (tooMany !== undefined) throw Conflict.at('numberOfFeeds', tooMany)
}

/** As many channels as cameras, no two of them the same. */
function requireChannels(
  { numberOfFeeds, channelSelectionMode, customSelectedChannels, channel }: MultipleCamera,
  members: readonly string[],
): void {
  if (channelSelectionMode === 'automaticByServer') {
    if (channel === null) refuse('channel', 'field.required')
    if (members.length < numberOfFeeds) refuse('numberOfFeeds', 'camera.fewMembers')
    return
  }
  if (customSelectedChannels.length < numberOfFeeds)
    refuse(`customSelectedChannels.${customSelectedChannels.length}`, 'field.required')
  const twice = customSelectedChannels.findIndex((id, at) => customSelectedChannels.indexOf(id) < at)
  if (twice >= 0) refuse(`customSelectedChannels.${twice}`, 'camera.channelTwice')
}

function requireDifferentChannels({ highQualityChannel, proxyChannel }: SwitcherChannels): void {
  if (proxyChannel !== null && highQualityChannel === proxyChannel)
    refuse('proxyChannel', 'camera.channelTwice')
}

function refuse(field: string, reason: PlainCode): never {
  throw InvalidRequest.at(field, reason)
}
