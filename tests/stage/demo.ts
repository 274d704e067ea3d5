/** A stage with the demo's customers, users and simulated fleet, in which no unit is started, stopped or switched off by itself. */
import { api } from '@backhaul/contract/api/api'
import { DEMO_PASSWORD, type DemoGroupId } from '@backhaul/contract/examples/demo'
import { type Channel, isMultipointName } from '@backhaul/contract/nouns/channels'
import type { Unit } from '@backhaul/contract/nouns/units'
import { type Person, signIn } from './person.ts'
import { openStage, type Stage } from './stage.ts'
import { until } from './until.ts'

export interface Demo extends Stage {
  /** Any user of the demo at the public interfaces. */
  person(username: string): Promise<Person>
  units(group?: DemoGroupId): Promise<Unit[]>
  channels(group?: DemoGroupId): Promise<Channel[]>
  /** The given number of ready units of a group. */
  ready(count: number, group?: DemoGroupId): Promise<Unit[]>
  /** The given number of channels that a unit can use now. */
  free(count: number, group?: DemoGroupId): Promise<Channel[]>
  /** Selects a channel for the unit and waits until the unit has it. */
  choose(unit: Unit, channel: Channel): Promise<void>
}

const first: DemoGroupId = 'london-news'

export async function openDemo(count: number, env?: NodeJS.ProcessEnv): Promise<Demo> {
  const stage = await openStage({ demo: count, ...(env && { env }) })
  try {
    await stage.start('simulator', { args: ['--no-desks', '--no-switching'] })
    const desk = await signIn(stage.url, 'desk-news', DEMO_PASSWORD)
    const units = (group = first) => desk.call(api.units.ofGroup, { query: { group } })
    const channels = (group = first) => desk.call(api.channels.ofGroup, { query: { group } })

    async function shows(uid: string, what: string, check: (unit: Unit) => boolean): Promise<void> {
      await until(`${uid} ${what}`, async () =>
        check(await desk.call(api.units.one, { params: { id: uid } })),
      )
    }

    const demo: Demo = {
      ...stage,
      person: (username) => signIn(stage.url, username, DEMO_PASSWORD),
      units,
      channels,
      ready: (enough, group) =>
        until('ready units', async () => {
          const found = (await units(group)).filter(({ idle, transmission }) => idle && transmission === null)
          return found.length >= enough ? found : undefined
        }),
      free: (enough, group) =>
        until('free channels', async () => {
          const found = (await channels(group)).filter(
            ({ name, status, allocatedToUnitUid, inputType }) =>
              status === 'idle' &&
              allocatedToUnitUid === null &&
              inputType === null &&
              !isMultipointName(name),
          )
          return found.length >= enough ? found : undefined
        }),
      async choose({ uid }, { uniqueId }) {
        await desk.call(api.unitCommands.command, {
          params: { id: uid, command: 'set_virtual_channel' },
          body: { virtualChannelName: uniqueId },
        })
        await shows(uid, 'has its channel', ({ channelId }) => channelId === uniqueId)
      },
    }
    await demo.ready(8)
    await demo.free(1)
    return demo
  } catch (error) {
    await stage.stop()
    throw error
  }
}

/** A contractor and a partner of the vendor, of whom the demo has none. */
export async function addVendorStaff(root: Person): Promise<void> {
  for (const [username, userType] of [
    ['carl', 'contractor'],
    ['petra', 'partner'],
  ] as const)
    await root.call(api.users.create, {
      body: {
        username,
        userType,
        password: DEMO_PASSWORD,
        passwordConfirmation: DEMO_PASSWORD,
        firstName: 'Helping',
        lastName: 'Hands',
        inventories: ['north-atlantic'],
      },
    })
}
