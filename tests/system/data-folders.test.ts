// The data folders of a hub and a unit as processes: closed to other users, and refused to a second start.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStage, type Stage } from '../stage/stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ hasOwnCore: true })
  await stage.start('hub')
  await stage.start('agent')
})
afterAll(() => stage?.stop())

test('the data of core, hub and unit, tokens among them, are closed to other users', () => {
  const names = ['core', 'hub', 'agent']
  const paths = names.flatMap((name) => [
    join(stage.dataFolder, name),
    ...readdirSync(join(stage.dataFolder, name), { recursive: true }).map((path) =>
      join(stage.dataFolder, name, String(path)),
    ),
  ])
  for (const name of ['backhaul.db', 'token.json'])
    expect(paths.some((path) => path.endsWith(name))).toBe(true)
  expect(paths.filter((path) => statSync(path).mode & 0o077)).toEqual([])
})

test('a second hub or unit on the same data is refused with the process that has it', async () => {
  const second = (name: 'hub' | 'agent') =>
    stage.start(name, { as: `${name}-2`, env: { BACKHAUL_DATA: join(stage.dataFolder, name) } })
  const refused = (name: string) => `in use by ${name} (process ${stage.pidOf(name)})`
  await Promise.all([
    expect(second('hub')).rejects.toThrow(refused('hub')),
    expect(second('agent')).rejects.toThrow(refused('agent')),
  ])
})
