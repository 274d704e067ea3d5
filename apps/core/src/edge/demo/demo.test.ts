import { client } from '@backhaul/contract/api/client'
import { signIns } from '@backhaul/contract/api/sign-ins'
import { DEMO_PASSWORD } from '@backhaul/contract/examples/demo'
import { afterEach, expect, test } from 'vitest'
import { createTestCore, type TestCore } from '../../testing.ts'
import { seedDemo } from './demo.ts'

let made: TestCore | undefined
afterEach(async () => {
  await made?.remove()
  made = undefined
})

test('the demo is seeded once; its users sign in and see the groups of their own customer', async () => {
  made = await createTestCore('sqlite')
  const { core, browser } = made
  const shown = await seedDemo(core)
  expect(await seedDemo(core)).toEqual(shown)
  expect(shown[0]).toEqual({ username: 'operator', password: DEMO_PASSWORD, role: 'regular' })
  expect(shown.map(({ username }) => username)).toEqual(
    'operator chief viewer sport media returns curator studio'.split(' '),
  )
  const groupsOf = async (username: string) => {
    const { call } = browser()
    await call(signIns.signIn, { body: { username, password: DEMO_PASSWORD } })
    return (await call(client.lightGroups, {})).map(({ name }) => name)
  }
  expect(await groupsOf('operator')).toEqual(['London-News', 'Montreal-News', 'New-York-News', 'Paris-News'])
  expect(await groupsOf('viewer')).toEqual(['London-News', 'Paris-News'])
  expect(await groupsOf('sport')).toEqual(['Sport-Americas', 'Sport-Europe'])
  expect(await groupsOf('chief')).toHaveLength(4)
  expect(await groupsOf('media')).toHaveLength(6)
})
