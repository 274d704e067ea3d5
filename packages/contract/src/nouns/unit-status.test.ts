import { describe, expect, it } from 'vitest'
import {
  Activity,
  type Applications,
  countedState,
  counterChanges,
  countersAfter,
  displayedStatus,
  isActiveForAlerts,
  isBusy,
  isOffline,
  isOnline,
  isStreaming,
  mayStart,
  type StartButton,
  type StatusTransition,
  startButton,
  statusTransition,
  transitionReached,
  transitionWatchdog,
  type UnitIcon,
  type UnitLabel,
  UnitStatus,
  unitIcon,
  unitLabel,
} from './unit-status.ts'

/** Applications from words: 'video' runs, 'video:speedtest' is in that state. */
const apps = (...words: string[]): Applications =>
  Object.fromEntries(
    words.map((word) => {
      const [activity, state = 'streaming'] = word.split(':') as [string, string?]
      return [activity, { state }]
    }),
  )

const unit = (...words: string[]) => ({ applications: apps(...words) })
const noApplications = { applications: null }

describe('displayed status', () => {
  const cases: [string, string[], UnitStatus][] = [
    [
      '1 upgrade wins over everything',
      ['upgrade', 'fetchlogs', 'databridge', 'video', 'forward', 'store'],
      'upgrading',
    ],
    ['2 fetchlogs', ['fetchlogs', 'databridge', 'video', 'forward', 'store'], 'fetchlogs'],
    ['3 databridge', ['databridge', 'video', 'forward', 'store'], 'transparent_bridge'],
    ['4 video with forward', ['video', 'forward'], 'streamingandforwarding'],
    ['4 before 5: a speed test with forward', ['video:speedtest', 'forward'], 'streamingandforwarding'],
    ['5 video in speedtest', ['video:speedtest'], 'speedtest'],
    ['6 video otherwise', ['video'], 'streaming'],
    ['6 video with store', ['video', 'store'], 'streaming'],
    ['6 multiCamera counts as video', ['multiCamera'], 'streaming'],
    ['6 switcher counts as video', ['switcher'], 'streaming'],
    ['6 switcherAndProxy counts as video', ['switcherAndProxy'], 'streaming'],
    ['4 switcher with forward', ['switcher', 'forward'], 'streamingandforwarding'],
    ['7 forward with store', ['forward', 'store'], 'storeandforward'],
    ['8 forward alone', ['forward'], 'forwarding'],
    ['9 store alone', ['store'], 'storeandforward'],
    ['10 otherwise', [], 'idle'],
    ['10 a quiet activity', ['ifb', 'audioRoom'], 'idle'],
  ]
  it.each(cases)('[UNIT-005] rule %s', (_rule, words, expected) => {
    expect(displayedStatus(unit(...words))).toBe(expected)
  })

  it('[UNIT-005] tests offline before the ten rules', () => {
    expect(displayedStatus(noApplications)).toBe('offline')
    expect(displayedStatus({ applications: undefined })).toBe('offline')
    expect(displayedStatus({ applications: apps('video'), status: 'offline' })).toBe('offline')
    expect(displayedStatus({ applications: apps('upgrade'), status: 'unavailable' })).toBe('offline')
  })

  it('[UNIT-005] gives one of the listed values for every pair of activities', () => {
    for (const a of Activity.options)
      for (const b of Activity.options) expect(UnitStatus.options).toContain(displayedStatus(unit(a, b)))
    expect(Activity.options).toHaveLength(16)
    expect(UnitStatus.options).toHaveLength(13)
  })
})

describe('predicates', () => {
  it.each(['video', 'multiCamera', 'switcher', 'switcherAndProxy', 'upgrade', 'databridge', 'fetchlogs'])(
    '[UNIT-006] %s makes a unit busy',
    (activity) => expect(isBusy(unit(activity))).toBe(true),
  )
  it('[UNIT-006] store and forward together, and store alone, make a unit busy; forward alone does not', () => {
    expect(isBusy(unit('store', 'forward'))).toBe(true)
    expect(isBusy(unit('store'))).toBe(true)
    expect(isBusy(unit('forward'))).toBe(false)
    expect(isBusy(unit())).toBe(false)
  })
  it('[UNIT-006] streams with video outside a speed test, or with any multi-camera activity', () => {
    expect(isStreaming(unit('video'))).toBe(true)
    expect(isStreaming(unit('video:speedtest'))).toBe(false)
    for (const activity of ['multiCamera', 'switcher', 'switcherAndProxy'])
      expect(isStreaming(unit(activity))).toBe(true)
    expect(isStreaming(unit('forward'))).toBe(false)
  })
  it.each([
    'changeAvicMode',
    'l2ControlPipe',
    'ifb',
    'audioRoom',
    'videoReturn',
    'databridge',
    'xtenderRelay',
    'audioCallBySelectedChannel',
    'forward',
  ])('[UNIT-006] %s leaves a unit online', (activity) => expect(isOnline(unit(activity))).toBe(true))
  it('[UNIT-006] is online without any activity, not with forward and store together, not with video alone', () => {
    expect(isOnline(unit())).toBe(true)
    expect(isOnline(unit('forward', 'store'))).toBe(false)
    expect(isOnline(unit('video'))).toBe(false)
    expect(isOnline(noApplications)).toBe(false)
  })
  it('[UNIT-006] is offline without applications or by a status of offline or unavailable', () => {
    expect(isOffline(noApplications)).toBe(true)
    expect(isOffline({ applications: {}, status: 'offline' })).toBe(true)
    expect(isOffline({ applications: {}, status: 'unavailable' })).toBe(true)
    expect(isOffline(unit())).toBe(false)
    for (const predicate of [isBusy, isStreaming, isOnline])
      expect(predicate({ applications: apps('video'), status: 'offline' })).toBe(false)
  })
  it('[UNIT-006] is active for alerts while streaming, storing and forwarding, in a speed test, or both', () => {
    for (const words of [
      ['video'],
      ['store', 'forward'],
      ['store'],
      ['video:speedtest'],
      ['video', 'forward'],
    ])
      expect(isActiveForAlerts(unit(...words))).toBe(true)
    for (const words of [[], ['forward'], ['upgrade'], ['databridge']])
      expect(isActiveForAlerts(unit(...words))).toBe(false)
    expect(isActiveForAlerts(noApplications)).toBe(false)
  })
})

describe('icon', () => {
  const cases: [UnitIcon, ReturnType<typeof unit>][] = [
    ['offline', { applications: null as Applications }],
    ['upgrading', unit('upgrade', 'fetchlogs', 'video')],
    ['fetchlogs', unit('fetchlogs', 'video')],
    ['busy', unit('video')],
    ['busy', unit('databridge')],
    ['busy', unit('store')],
    ['online', unit('forward')],
    ['online', unit()],
  ]
  it.each(cases)('[UNIT-007] is %s by precedence (%#)', (expected, basis) => {
    expect(unitIcon(basis)).toBe(expected)
  })
})

describe('label', () => {
  const cases: [UnitLabel, Parameters<typeof unitLabel>[0]][] = [
    ['ready', unit()],
    ['live', unit('video')],
    ['live', unit('video', 'forward')],
    ['S&F', unit('store', 'forward')],
    ['S&F', unit('forward')],
    ['S&F', unit('store')],
    ['offline', noApplications],
    ['offline', { applications: {}, status: 'unavailable' }],
    ['upgrading', unit('upgrade')],
    ['connecting', { ...unit(), transition: 'starting' }],
    ['connecting', unit('video:connecting')],
    ['connecting', unit('databridge:connecting')],
    ['stopping', { ...unit('video'), transition: 'stopping' }],
    ['stopping', unit('video:stopping')],
    ['stopping', unit('databridge:stopping')],
    ['speed test', unit('video:speedtest')],
    ['preview', { ...unit('video'), channelIsPreview: true }],
    ['playing', { ...unit(), channelPlaysFile: true }],
    ['fetching logs', unit('fetchlogs')],
  ]
  it.each(cases)('[UNIT-008] is %s (%#)', (expected, basis) => {
    expect(unitLabel(basis)).toBe(expected)
  })
})

describe('start button', () => {
  const cases: [StartButton, boolean, Parameters<typeof startButton>[0]][] = [
    ['start', true, unit()],
    ['start', true, unit('ifb')],
    ['start', false, unit('upgrade')],
    ['connecting', false, { ...unit(), transition: 'starting' }],
    ['connecting', false, unit('video:connecting')],
    ['stop', false, unit('video')],
    ['stop', false, unit('multiCamera')],
    ['disconnecting', false, { ...unit('video'), transition: 'stopping' }],
    ['disconnecting', false, unit('video:stopping')],
    ['offline', false, noApplications],
  ]
  it.each(cases)('is %s, start allowed %s (%#)', (expected, allowed, basis) => {
    expect(startButton(basis)).toBe(expected)
    expect(mayStart(basis)).toBe(allowed)
  })
})

describe('transitions', () => {
  it('ends a start when the activity shows and a stop when it is gone', () => {
    expect(transitionReached('starting', unit())).toBe(false)
    expect(transitionReached('starting', unit('video:connecting'))).toBe(false)
    expect(transitionReached('starting', unit('video'))).toBe(true)
    expect(transitionReached('stopping', unit('video'))).toBe(false)
    expect(transitionReached('stopping', unit())).toBe(true)
    expect(transitionReached('stopping', noApplications)).toBe(true)
    expect(transitionWatchdog).toEqual({ checks: 10, periodMs: 2000 })
  })

  const stations = {
    offline: noApplications,
    online: unit(),
    streaming: unit('video'),
    storeAndForward: unit('store', 'forward'),
  }
  const named = Object.keys(counterChanges) as Exclude<StatusTransition, 'unknown'>[]

  it.each(named)('[UNIT-011] [LIVE-007] %s moves the counters exactly as a recount would', (name) => {
    const [from, to] = name.split('To') as [keyof typeof stations, string]
    const target = `${to[0]!.toLowerCase()}${to.slice(1)}` as keyof typeof stations
    const [before, after] = [stations[from], stations[target]]
    expect(statusTransition(before, after)).toBe(name)
    const counters = { offline: 5, idle: 5, busy: 5 }
    const recounted = { ...counters }
    recounted[countedState(before)]--
    recounted[countedState(after)]++
    expect(countersAfter(counters, name)).toEqual(recounted)
  })

  it('[UNIT-011] calls any other move unknown, which requires a recount, and no move nothing', () => {
    expect(statusTransition(unit(), unit('upgrade'))).toBe('unknown')
    expect(statusTransition(unit('video'), unit('store', 'forward'))).toBe('unknown')
    expect(countersAfter({ offline: 0, idle: 1, busy: 0 }, 'unknown')).toBeUndefined()
    expect(statusTransition(unit(), unit('ifb'))).toBeUndefined()
    expect(named).toHaveLength(10)
  })
})
