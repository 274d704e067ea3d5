import type {
  UnitWanted,
  WantedIntercom,
  WantedTransmission,
  WantedVideoReturn,
} from '@backhaul/contract/gateway/units'
import { expect, test } from 'vitest'
import { stepsTowards, type UnitSituation } from './unit-steps.ts'

const transmission: WantedTransmission = {
  id: 't-1',
  channelId: 'ch-1',
  key: 'a2V5',
  targets: [{ host: '192.0.2.1', port: 20000 }],
}
const session: WantedIntercom = {
  id: 'ic-1',
  intercom: 1,
  mode: 'audioRoom',
  destination: 'ar-1',
  server: 'sip.example',
  account: null,
  roomId: 'ar-1',
  serverId: 'srv-1',
  key: 'a2V5',
  targets: [{ host: '192.0.2.1', port: 20_900 }],
}
const videoReturn: WantedVideoReturn = { ...transmission, id: 'vr-1', latencyMs: 500 }
const later: WantedVideoReturn = { ...videoReturn, latencyMs: 900 }
const other: WantedIntercom = { ...session, id: 'ic-2' }
const elsewhere: WantedIntercom = { ...session, targets: [{ host: '192.0.2.1', port: 20_901 }] }
const renamed: WantedIntercom = { ...session, roomName: 'Floor' }
const links = [
  { port: 0, enabled: true },
  { port: 1, enabled: true },
]
const idle: UnitSituation = { channelId: 'ch-1', delayMs: 1000, transmission: undefined, links }
const live: UnitSituation = { ...idle, transmission }
const rest: UnitWanted = { channelId: 'ch-1', delayMs: 1000, transmission: null, disabledLinks: [] }

test.for<[string, UnitSituation, Partial<UnitWanted>, unknown[]]>([
  ['nothing differs while idle', idle, {}, []],
  ['nothing differs while live', live, { transmission }, []],
  ['an intercom that runs', { ...idle, intercoms: [session] }, { intercoms: [session] }, []],
  [
    'a session whose server is at another address begins again',
    { ...idle, intercoms: [session] },
    { intercoms: [elsewhere] },
    [
      { do: 'stopIntercom', intercom: 1 },
      { do: 'startIntercom', session: elsewhere },
    ],
  ],
  [
    'a session continues in an audio room with another name',
    { ...idle, intercoms: [session] },
    { intercoms: [renamed] },
    [{ do: 'renameIntercomRoom', session: renamed }],
  ],
  [
    'another session on the same line ends the first before it',
    { ...idle, intercoms: [session] },
    { intercoms: [other] },
    [
      { do: 'stopIntercom', intercom: 1 },
      { do: 'startIntercom', session: other },
    ],
  ],
  [
    'another delay of a video return keeps it',
    { ...idle, videoReturn },
    { videoReturn: later },
    [{ do: 'setReturnDelay', videoReturn: later }],
  ],
  [
    'a video return from elsewhere replaces the first',
    { ...idle, videoReturn },
    { videoReturn: { ...later, targets: [{ host: '192.0.2.2', port: 24_001 }] } },
    [
      { do: 'stopVideoReturn' },
      {
        do: 'startVideoReturn',
        videoReturn: { ...later, targets: [{ host: '192.0.2.2', port: 24_001 }] },
      },
    ],
  ],
  ['a start', idle, { transmission }, [{ do: 'startTransmission', transmission }]],
  ['a stop', live, {}, [{ do: 'stopTransmission' }]],
  ['a channel', idle, { channelId: null }, [{ do: 'setChannel', channelId: null }]],
  [
    'a delay while live keeps the transmission',
    live,
    { transmission, delayMs: 2000 },
    [{ do: 'updateDelay', delayMs: 2000 }],
  ],
  [
    'a start with everything else goes links, channel, delay, start',
    { ...idle, channelId: null },
    { transmission, delayMs: 500, disabledLinks: [1] },
    [
      { do: 'setEnabledLinks', disabled: [1] },
      { do: 'setChannel', channelId: 'ch-1' },
      { do: 'updateDelay', delayMs: 500 },
      { do: 'startTransmission', transmission },
    ],
  ],
  [
    'a new transmission replaces the old one',
    live,
    { transmission: { ...transmission, id: 't-2' } },
    [{ do: 'stopTransmission' }, { do: 'startTransmission', transmission: { ...transmission, id: 't-2' } }],
  ],
  [
    'a new transmission takes over from the old one where the hardware can move it, and the channel follows',
    { ...live, canMove: true },
    { channelId: 'ch-2', delayMs: 2000, transmission: { ...transmission, id: 't-2', channelId: 'ch-2' } },
    [
      { do: 'updateDelay', delayMs: 2000 },
      { do: 'moveTransmission', transmission: { ...transmission, id: 't-2', channelId: 'ch-2' } },
      { do: 'setChannel', channelId: 'ch-2' },
    ],
  ],
  [
    'the limit of the channel changes on air',
    live,
    { transmission: { ...transmission, limitKbps: 2000 } },
    [{ do: 'limitTransmission', transmission: { ...transmission, limitKbps: 2000 } }],
  ],
  [
    'a speed test never takes over from a picture',
    { ...live, canMove: true },
    { transmission: { ...transmission, id: 't-2', speedTestMs: 5000 } },
    [
      { do: 'stopTransmission' },
      { do: 'startTransmission', transmission: { ...transmission, id: 't-2', speedTestMs: 5000 } },
    ],
  ],
  [
    'a new place of the same transmission starts it again',
    live,
    { transmission: { ...transmission, targets: [{ host: '192.0.2.1', port: 20002 }] } },
    [
      { do: 'stopTransmission' },
      {
        do: 'startTransmission',
        transmission: { ...transmission, targets: [{ host: '192.0.2.1', port: 20002 }] },
      },
    ],
  ],
  [
    'settings that differ go before the start, those that the hardware does not know not at all',
    { ...idle, settings: { ntp: false, audioBitrate: 96, metadata: { a: '1', b: '2' } } },
    {
      transmission,
      settings: { ntp: true, audioBitrate: 96, metadata: { b: '2', a: '1' }, colorDepth: '8-bit' },
    },
    [
      { do: 'applySettings', changes: { ntp: true } },
      { do: 'startTransmission', transmission },
    ],
  ],
  [
    'another extender, in any order',
    { ...idle, extenders: [{ serialNumber: 'a' }, { serialNumber: 'b' }] },
    { extenders: ['c', 'a', 'b'] },
    [{ do: 'setExtenders', serialNumbers: ['c', 'a', 'b'] }],
  ],
  ['extenders that it has', { ...idle, extenders: [{ serialNumber: 'a' }] }, { extenders: ['a'] }, []],
  ['a unit that can have no extender', idle, { extenders: ['a'] }, []],
  ['a link that the unit does not have is no difference', idle, { disabledLinks: [7] }, []],
  [
    'a link that is wanted again',
    { ...idle, links: [{ port: 0, enabled: false }] },
    {},
    [{ do: 'setEnabledLinks', disabled: [] }],
  ],
])('%s', ([, actual, wanted, steps]) => {
  expect(stepsTowards(actual, { ...rest, ...wanted })).toEqual(steps)
})
