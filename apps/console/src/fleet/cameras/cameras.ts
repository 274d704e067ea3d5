// The cameras of a unit as a form: its mode, where each camera goes, and what of it is requested.
import { cameras as calls } from '@backhaul/contract/api/cameras'
import { unitSettings } from '@backhaul/contract/api/unit-settings'
import {
  CAMERAS_MAX,
  type CameraMode,
  type MultipleCamera,
  noFeeds,
  noSwitcher,
  type SwitcherChannels,
} from '@backhaul/contract/nouns/cameras'
import type { UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import type { Unit } from '@backhaul/contract/nouns/units'
import { call } from '../../doors/api.ts'
import { isSame } from '../../kit/changed-fields.ts'

type Priority = NonNullable<UnitSettings['cameraPriorities']>[number]

export interface CameraForm extends MultipleCamera, SwitcherChannels {
  mode: CameraMode
  labels: string[]
  priorities: Priority[]
}

export const cameraNumbers = Array.from({ length: CAMERAS_MAX }, (_, at) => at + 1)

/** The form as the unit has it now. */
export function formOf(unit: Unit): CameraForm {
  return {
    ...noSwitcher,
    ...(unit.switcherAndProxy ?? unit.switcherMode),
    ...(unit.multipleCamera ?? noFeeds),
    mode: unit.multiCameraSelectedMode ?? 'single',
    labels: cameraNumbers.map((camera) => unit.multiCameraLabels[camera - 1] ?? ''),
    priorities: cameraNumbers.map((camera) => unit.cameraPriorities[camera - 1] ?? 1),
  }
}

/** Requests the changes from core; throws its refusal. */
export async function saveCameras(unit: Unit, form: CameraForm): Promise<void> {
  const { labels, priorities, ...cameras } = form
  const { labels: oldLabels, priorities: oldPriorities, ...before } = formOf(unit)
  if (!isSame(cameras, before)) await saveMode(unit.uid, form)
  const settings: UnitSettings = {
    ...(!isSame(labels, oldLabels) && { multiCameraLabels: labels }),
    ...(!isSame(priorities, oldPriorities) && { cameraPriorities: priorities }),
  }
  if (Object.keys(settings).length > 0)
    await call(unitSettings.configure, { params: { id: unit.uid }, body: settings })
}

async function saveMode(uid: string, form: CameraForm): Promise<void> {
  const params = { id: uid }
  const { mode, numberOfFeeds, channelSelectionMode, customSelectedChannels, channel } = form
  const { highQualityChannel, proxyChannel } = form
  if (mode === 'single') await call(calls.leave, { params, body: {} })
  else if (mode === 'highQuality')
    await call(calls.setFeeds, {
      params,
      body: {
        numberOfFeeds,
        channelSelectionMode,
        channel,
        customSelectedChannels: customSelectedChannels.slice(0, numberOfFeeds),
      },
    })
  else if (mode === 'switcher')
    await call(calls.setSwitcher, { params, body: { highQualityChannel, proxyChannel: null } })
  else await call(calls.setSwitcher, { params, body: { highQualityChannel, proxyChannel } })
}

export const setInput = (uid: string, sdiPort: number) =>
  call(calls.setInput, { params: { id: uid }, body: { sdiPort } })

/** Starts or stops what the mode of the unit sends. */
export async function sendCameras({ uid, multiCameraSelectedMode }: Unit, runs: boolean): Promise<void> {
  const isSwitcher = multiCameraSelectedMode !== 'highQuality'
  const params = { id: uid }
  if (runs) await call(isSwitcher ? calls.stopSwitcher : calls.stop, { params })
  else await call(isSwitcher ? calls.startSwitcher : calls.start, { params, body: {} })
}
