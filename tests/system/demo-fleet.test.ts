// The demo as processes: core, and a simulator that fills it and goes live through the public interfaces.
import { channels } from '@backhaul/contract/api/channels'
import { client } from '@backhaul/contract/api/client'
import { servers } from '@backhaul/contract/api/servers'
import { units } from '@backhaul/contract/api/units'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { channelsInUse } from '@backhaul/contract/nouns/servers'
import type { Unit } from '@backhaul/contract/nouns/units'
import { signalProcess } from '@backhaul/runtime/testing/processes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, signIn } from '../stage/person.ts'
import { openStage, type Stage } from '../stage/stage.ts'
import { until as untilTrue } from '../stage/until.ts'

const fleet = 30
let stage: Stage
let person: Person

beforeAll(async () => {
  stage = await openStage({ demo: fleet, hasOwnCore: true })
  await stage.start('simulator')
  person = await signIn(stage.url, 'media', DEMO_PASSWORD)
})
afterAll(() => stage?.stop())

async function ofAllGroups() {
  const found: { group: string; units: Unit[]; collecting: number }[] = []
  for (const { uid: group, name } of await person.call(client.lightGroups, {})) {
    const [itsUnits, itsChannels] = await Promise.all([
      person.call(units.ofGroup, { query: { group } }),
      person.call(channels.ofGroup, { query: { group } }),
    ])
    const collecting = itsChannels.filter(({ status }) => status === 'collecting').length
    found.push({ group: name, units: itsUnits, collecting })
  }
  return found
}

async function until(check: (groups: Awaited<ReturnType<typeof ofAllGroups>>) => boolean) {
  for (let tries = 0; ; tries++) {
    const groups = await ofAllGroups()
    if (check(groups)) return groups
    if (tries === 240) throw new Error(`It did not happen: ${JSON.stringify(groups).slice(0, 2000)}`)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

const all = (groups: { units: Unit[] }[]) => groups.flatMap((group) => group.units)

test('every simulated unit is in one group, and the desks bring about a third on air', async () => {
  const groups = await until(
    (now) =>
      all(now).length === fleet && now.reduce((sum, { collecting }) => sum + collecting, 0) >= fleet / 5,
  )
  expect(groups).toHaveLength(6)
  expect(new Set(all(groups).map(({ uid }) => uid)).size).toBe(fleet)
  // A unit that has just begun sends little yet, and over one link.
  const live = (now: typeof groups) =>
    all(now).filter(
      ({ status, uplink, modems }) =>
        status === 'streaming' &&
        (uplink?.kbps ?? 0) > 200 &&
        modems.filter(({ uplinkKbps }) => uplinkKbps > 0).length > 1,
    )
  for (const unit of live(await until((now) => live(now).length > 2))) {
    expect(unit.transmission?.by).toMatch(/^desk-/)
    expect(unit.location?.address).not.toBe('')
  }
})

test('the desks let a crew on air see the studio, and the return server shows the channel in use', async () => {
  await untilTrue('a return channel in use', async () => {
    const groups = await person.call(client.lightGroups, {})
    const ofAll = await Promise.all(
      groups.map(({ uid }) => person.call(servers.ofGroup, { params: { id: uid } })),
    )
    const returning = ofAll.flat().filter(({ type }) => type === 'vr_server')
    return returning.some((server) => channelsInUse(server).length > 0)
  })
})

test('a core that was killed finds the same fleet still on air', async () => {
  const before = all(await ofAllGroups())
  const onAir = before.filter(({ transmission }) => transmission !== null)
  signalProcess(stage.pidOf('core'), 'SIGKILL')
  person = await untilTrue('core is there again', () =>
    signIn(stage.url, 'media', DEMO_PASSWORD).catch(() => undefined),
  )
  const groups = await until(
    (now) => now.reduce((sum, { collecting }) => sum + collecting, 0) >= onAir.length - 2,
  )
  expect(
    all(groups)
      .map(({ uid }) => uid)
      .sort(),
  ).toEqual(before.map(({ uid }) => uid).sort())
  // Transmissions that the desks have stopped since are not lost.
  const isKept = ({ uid, transmission }: Unit) =>
    all(groups).some(
      (now) =>
        now.uid === uid &&
        (now.transmission?.id === transmission?.id || now.command?.name === 'stop_streaming'),
    )
  expect(onAir.filter(isKept).length).toBeGreaterThanOrEqual(onAir.length - 2)
})
