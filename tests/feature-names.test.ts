// One word finds a feature in contract, core and console; where a side has none of that name, one line gives the reason.
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const repository = dirname(import.meta.dirname)

const foldersOf = (path: string): string[] =>
  readdirSync(join(repository, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

const sides = {
  contract: new Set(
    readdirSync(join(repository, 'packages/contract/src/api'))
      .filter((name) => !name.endsWith('.test.ts') && name !== 'api.ts')
      .map((name) => name.replace(/\.ts$/, '')),
  ),
  core: new Set(
    foldersOf('apps/core/src').flatMap((area) =>
      foldersOf(`apps/core/src/${area}`).filter((feature) =>
        existsSync(join(repository, 'apps/core/src', area, feature, 'feature.ts')),
      ),
    ),
  ),
  console: new Set(
    foldersOf('apps/console/src')
      .filter(
        (area) => existsSync(join(repository, 'apps/console/src', area, 'screens.ts')) || area === 'session',
      )
      .flatMap((area) => foldersOf(`apps/console/src/${area}`)),
  ),
}

/** Features that one or two sides lack, and why. */
const explained: Readonly<Record<string, string>> = {
  account: 'the page of the signed-in user shows what users, sign-ins and second-factors of core hold',
  'channel-administration': "in core a part of channels, which owns a channel's record",
  'channel-lending': 'a dialog over the calls of channel-administration',
  'channel-settings': 'in core a part of channels, in the console of channel-administration',
  client: 'what the console reads at its start, in app',
  'databridge-sessions': 'in contract and console a part of databridge',
  destinations: 'in core a part of channels, in the console of channel-administration',
  'device-services': 'its calls are those of system-settings, and so is its screen',
  devices:
    'identity and connection of units and servers; its calls are those of groups and device-administration',
  entities: 'a page that holds the lists of other features',
  'group-administration': 'in core and console a part of groups',
  'group-legacy': 'older calls of groups, for integrators',
  feeds: 'in contract and core a part of channels; set in channel-administration of the console',
  geocoding: 'its calls are those of system-settings',
  ifb: 'set on the intercom of a unit in the console',
  interfaces: 'tally and IFB, edited in device-administration and channel-administration of the console',
  'inventory-names': 'names of customers for lists, from the calls of inventories',
  live: 'the state that core pushes; it has no calls',
  map: 'a screen over units',
  multiview: 'a screen over channels and previews',
  newsroom: 'its call is the test of the mapping file of ingest; in the console a part of stories',
  openid: 'a way to sign in: its calls are those of sign-ins',
  preferences: 'its calls are those of client',
  previews: 'its calls are those of channels, and streams outside the contract',
  recipients: 'in core and console a part of groups',
  'second-factors': 'shown on the account page of the console',
  'settings-configurations': 'in core a part of transmissions; for integrators',
  'support-cases': 'opened in the dialog of device-logs in the console',
  telemetry: 'its call is the graph of units',
  transmissions: 'its calls are the commands of units',
  'unit-details': 'one call of units with what other features know',
  'unit-pairing': 'shown in unit-settings of the console',
  'unit-services': 'edited in device-administration and licences of the console',
  usage: 'counts for reports and usage-profiles; it has no calls',
  'user-details': 'shown in users of the console',
  'video-return-administration': 'in core a part of video-return',
}

test('a feature has the same name on every side, or a reason why a side lacks it', () => {
  const all = new Set(Object.values(sides).flatMap((names) => [...names]))
  const partial = [...all].filter((name) => Object.values(sides).some((side) => !side.has(name)))
  expect(partial.toSorted()).toEqual(Object.keys(explained).toSorted())
})
