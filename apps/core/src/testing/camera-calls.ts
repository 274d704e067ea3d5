// Every call of several cameras: how it names its unit, and each write as a request that succeeds.
import { everything } from '../database/scope.ts'
import type { TestDevice, TestFleet } from './fleet.ts'
import { type RequestTarget, target } from './tenancy-target.ts'
import { until } from './wait.ts'

const channels = { highQualityChannel: null, proxyChannel: null }

export const cameraTargets: Readonly<Record<string, RequestTarget>> = {
  'cameras.setFeeds': target('unit', 'id', {
    body: { numberOfFeeds: 1, channelSelectionMode: 'automaticByServer' },
  }),
  'cameras.setGroupChannel': target('unit', 'id', { body: { channel: 'some' } }),
  'cameras.setMode': target('unit', 'id', { body: { mode: 'switcher' } }),
  'cameras.leave': target('unit', 'id', { body: {} }),
  'cameras.setSwitcher': target('unit', 'id', { body: channels }),
  'cameras.setHighQuality': target('unit', 'id', { body: { channel: null } }),
  'cameras.setProxy': target('unit', 'id', { body: { channel: null } }),
  'cameras.setInput': target('unit', 'id', { body: { sdiPort: 1 } }),
  'cameras.start': target('unit', 'id', { body: {} }),
  'cameras.stop': target('unit'),
  'cameras.startSwitcher': target('unit', 'id', { body: {} }),
  'cameras.stopSwitcher': target('unit'),
}

const groupChannel = 'CAMERAS-Multi'

interface Input {
  params?: object
  body?: unknown
}

/** The calls have a unit and a server of their own, which are made with the first request. */
export function cameraChanges(fleetOf: () => TestFleet): Record<string, () => Promise<Input>> {
  let staged: Promise<{ unit: TestDevice; channelId: string }> | undefined

  async function arrange() {
    const fleet = fleetOf()
    const unit = await fleet.unit('U-CAMERAS')
    const server = await fleet.server('CAMERAS', 1)
    const camera = {
      connected: true,
      kind: 'sdi',
      width: 1920,
      height: 1080,
      fps: 50,
      codec: 'H.265/HEVC',
    } as const
    unit.report({
      capabilities: { multiCamera: true, switcher: true, switcherAndProxy: true },
      cameras: [camera],
    })
    await until(() => fleet.core.units.values(unit.id)?.cameras.length === 1)
    const { slots = [] } = server.hello as { slots?: object[] }
    const together = { slot: 'multi', name: groupChannel, inputType: null, members: ['slot-1'] }
    await (await fleet.again(server, { slots: [...slots, together] })).greet()
    await until(() => fleet.core.channels.find(everything, groupChannel) !== undefined)
    return { unit, channelId: server.channelIds[0] ?? '' }
  }

  /** The unit applies its wanted state: it is in this mode, and sends or not. */
  async function request(
    cameraMode: 'single' | 'highQuality' | 'switcher',
    isSent: boolean,
    bodyOf: (channelId: string) => object | undefined,
  ): Promise<Input> {
    staged ??= arrange()
    const { unit, channelId } = await staged
    const sent = isSent
      ? { [cameraMode === 'highQuality' ? 'multiCamera' : 'switcher']: { state: 'streaming' } }
      : {}
    const state = `${cameraMode} ${isSent}`
    unit.report({ state, settings: { cameraMode }, applications: sent })
    await until(() => fleetOf().core.units.values(unit.id)?.state === state)
    return { params: { id: unit.id }, body: bodyOf(channelId) }
  }

  const nothing = () => ({})
  const none = () => undefined
  return {
    'cameras.setFeeds': () =>
      request('single', false, (id) => ({
        numberOfFeeds: 1,
        channelSelectionMode: 'custom',
        customSelectedChannels: [id],
      })),
    'cameras.setGroupChannel': () => request('single', false, () => ({ channel: groupChannel })),
    'cameras.start': () => request('highQuality', false, nothing),
    'cameras.stop': () => request('highQuality', true, none),
    'cameras.setMode': () => request('single', false, () => ({ mode: 'switcher' })),
    'cameras.setSwitcher': () =>
      request('single', false, (id) => ({ highQualityChannel: id, proxyChannel: null })),
    'cameras.setHighQuality': () => request('switcher', false, (id) => ({ channel: id })),
    'cameras.setInput': () => request('switcher', false, () => ({ sdiPort: 1 })),
    'cameras.startSwitcher': () => request('switcher', false, nothing),
    'cameras.stopSwitcher': () => request('switcher', true, none),
    'cameras.setProxy': () => request('switcher', false, () => ({ channel: null })),
    'cameras.leave': () => request('switcher', false, nothing),
  }
}
