import { exampleUnit } from '@backhaul/contract/examples/units'
import { expect, test } from 'vitest'
import { pageVisitOf } from './page-visits.ts'

const group = { uid: 'g', inventoryId: 'i' }

test('a visit carries what is known of user, group and selected unit', () => {
  const noSession = { state: null, transition: null, failure: null, failureCause: null }
  const unit = {
    ...exampleUnit,
    channelId: 'c',
    delay: 900,
    multipleCamera: {
      numberOfFeeds: 2,
      channelSelectionMode: 'custom' as const,
      customSelectedChannels: [],
      channel: null,
    },
    intercoms: [
      { mode: 'audioRoom' as const, destinationAccount: '', ...noSession },
      { mode: 'audioRoom' as const, destinationAccount: 'room-7', ...noSession },
    ],
    applications: { l2ControlPipe: { state: 'connected' } },
  }
  const level = { peakDb: -10, rmsDb: -20 }
  const channel = { levels: [level, level], bandwidthLimit: 4000, forceOutput: true }
  expect(pageVisitOf('/unit/list', { userId: 'u', group, unit, channel, previewStartMs: 380 })).toMatchObject(
    {
      route: '/unit/list',
      groupId: 'g',
      userId: 'u',
      inventoryId: 'i',
      unitId: unit.uid,
      channelId: 'c',
      delay: 900,
      bitrate: unit.uplink?.encoderKbps,
      audioChannels: 2,
      bandwidthLimits: 4000,
      forceSdi: true,
      timeUntilPreview: 380,
      cameraCountSelection: 2,
      ipPipeConnectionMode: 'connected',
      audioRoomId: 'room-7',
    },
  )
})

test('what is not known is absent, not empty', () => {
  expect(pageVisitOf('/unit/list', { userId: undefined, group: null, unit: undefined })).toEqual({
    route: '/unit/list',
  })
})

test('the selected unit gives its carriers once and its gravest alert', () => {
  const modem = { ...exampleUnit.modems[0]!, connected: true }
  const unit = {
    ...exampleUnit,
    modems: ['A', 'B', 'A'].map((carrier) => ({ ...modem, carrier })),
    alerts: [
      {
        id: 'a',
        uid: 'u',
        name: 'U',
        severity: 'critical' as const,
        type: 'battery' as const,
        since: 0,
        value: 5,
      },
    ],
  }
  const visit = pageVisitOf('/unit/list', { userId: 'u', group, unit })
  expect(visit).toMatchObject({ provider: 'A, B', alertSeverity: 'critical', alertType: 'battery' })
})
