import { expect, test } from 'vitest'
import { Random } from '../random.ts'
import { type DeskChannel, type DeskReturn, type DeskUnit, planDesk, planReturn } from './desk-plan.ts'

const unit = (uid: string, more: Partial<DeskUnit> = {}): DeskUnit => ({
  uid,
  status: 'idle',
  applications: {},
  transmission: null,
  transition: null,
  type: 'LU-600',
  swVersion: '7.2.1',
  delay: 1000,
  comment: '',
  capabilities: {},
  ...more,
})
const live = {
  transmission: { id: 't', channelId: 'c', startedAt: 0, by: 'desk' },
  applications: { video: { state: 'streaming' } },
}
const channel = (uniqueId: string, more: Partial<DeskChannel> = {}): DeskChannel => ({
  uniqueId,
  name: uniqueId,
  status: 'idle',
  allocatedToUnitUid: null,
  kind: 'PREVIEW_CHANNEL',
  ...more,
})
const some = <T>(count: number, make: (id: string) => T) =>
  Array.from({ length: count }, (_, i) => make(`${i}`))

test('a third of the available units is started, each on a free channel of its own', () => {
  const units = [...some(9, (id) => unit(id)), unit('off', { status: 'offline', applications: null })]
  const channels = [
    channel('busy', { allocatedToUnitUid: 'x' }),
    channel('off', { status: 'offline' }),
    ...some(5, channel),
  ]
  const { starts, stops } = planDesk('desk', units, channels, 1 / 3, false, new Random(1))
  expect(starts).toHaveLength(3)
  expect(stops).toEqual([])
  expect(starts.map(({ channelId }) => channelId)).toEqual(['0', '1', '2'])
  expect(starts.map(({ uid }) => uid)).not.toContain('off')
})

test('units that are busy with something else are left alone, and without a free channel nothing is started', () => {
  const busy = some(6, (id) => unit(id, { applications: { upgrade: { state: 'running' } } }))
  expect(planDesk('desk', busy, some(6, channel), 1, false, new Random(1)).starts).toEqual([])
  expect(
    planDesk(
      'desk',
      some(6, (id) => unit(id)),
      [],
      1,
      false,
      new Random(1),
    ).starts,
  ).toEqual([])
})

test('when more are live than wanted, the surplus is stopped', () => {
  const units = [...some(6, (id) => unit(id, live)), ...some(6, (id) => unit(`idle-${id}`))]
  const { starts, stops } = planDesk('desk', units, some(9, channel), 1 / 4, true, new Random(5))
  expect(starts).toEqual([])
  expect(stops.length).toBeGreaterThanOrEqual(3)
})

test('a unit that another user has started is not stopped', () => {
  const { transmission } = live
  const units = [
    ...some(6, (id) => unit(id, { ...live, transmission: { ...transmission, by: 'operator' } })),
    unit('own', live),
  ]
  expect(planDesk('desk', units, some(9, channel), 0, false, new Random(1)).stops).toEqual(['own'])
})

test('one crew on air with a monitor sees the studio, on a channel with a picture, until it is off air', () => {
  const onAir = { status: 'streaming', capabilities: { videoReturn: true } } as const
  const units = [
    unit('idle', { capabilities: { videoReturn: true } }),
    unit('blind', { status: 'streaming' }),
    unit('starting', { ...onAir, transition: 'starting' }),
    unit('van', onAir),
  ]
  const channel = (uniqueId: string, more: Partial<DeskReturn> = {}): DeskReturn => ({
    uniqueId,
    status: 'videoReturnInputConnected',
    unitUid: null,
    ...more,
  })
  const dark = channel('dark', { status: 'idle' })
  const plan = (channels: DeskReturn[], of = units) => planReturn(of, channels, new Random(1))
  expect(plan([dark, channel('studio')])).toEqual({ uid: 'van', channelId: 'studio' })
  expect(plan([dark])).toBeUndefined()
  expect(plan([channel('taken', { status: 'collecting', unitUid: 'x' }), channel('studio')])).toBeUndefined()
  expect(plan([channel('studio')], units.slice(0, 3))).toBeUndefined()
})

test('sport sets long delays and news short ones, of those that the unit offers', () => {
  const delays = (isSport: boolean) =>
    planDesk(
      'desk',
      some(20, (id) => unit(id)),
      some(20, channel),
      1,
      isSport,
      new Random(2),
    ).starts.flatMap(({ delayMs }) => delayMs ?? [])
  expect(Math.min(...delays(true))).toBeGreaterThanOrEqual(5000)
  expect(Math.max(...delays(false))).toBeLessThanOrEqual(2000)
})
