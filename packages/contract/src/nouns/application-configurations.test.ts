import { describe, expect, test } from 'vitest'
import { faultsOf } from '../define/errors.ts'
import { ApplicationConfiguration, configurationFor } from './application-configurations.ts'

const faultsFor = (more: object) => {
  const one = { application: 'console', inventory: null, key: 'support', value: 'https://help.example/' }
  const { error } = ApplicationConfiguration.safeParse({ ...one, ...more })
  return error ? faultsOf(error).map(({ field, message }) => [field, message]) : []
}

describe('[STAFF-014] the configuration of an application', () => {
  test('has known keys in the console, each with its rule', () => {
    expect(faultsFor({})).toEqual([])
    expect(faultsFor({ key: 'subscribeBatchSize', value: '500' })).toEqual([])
    expect(faultsFor({ key: 'colour' })).toEqual([
      [
        'key',
        'The console has only these: videoReturnPortal, matrix, support, releaseNotes, chat, subscribeBatchSize.',
      ],
    ])
    for (const [key, value, message] of [
      ['support', 'javascript:alert(1)', 'Must be an address that starts with https:// or http://'],
      ['chat', 'help.example', 'Must be an address that starts with https:// or http://'],
      ['subscribeBatchSize', '0', 'Must be 1 or more'],
      ['subscribeBatchSize', '501', 'Must be 500 or less'],
      ['subscribeBatchSize', 'many', 'Must be an integer'],
    ] as const)
      expect(faultsFor({ key, value })).toEqual([['value', message]])
    expect(faultsFor({ value: ' ' })).toContainEqual(['value', 'This field is required'])
  })

  test('has any keys in another application, whose known ones follow the same rules', () => {
    expect(faultsFor({ application: 'Crew-App', key: 'colour', value: 'red' })).toEqual([])
    expect(faultsFor({ application: 'crew-app', key: 'chat', value: 'red' })).toEqual([
      ['value', 'Must be an address that starts with https:// or http://'],
    ])
    expect(faultsFor({ application: 'crew app', key: 'colour' })).toEqual([
      ['application', 'Must match the pattern'],
    ])
    expect(faultsFor({ application: 'crew-app', key: '7' })).toEqual([['key', 'Must match the pattern']])
  })

  const one = (inventory: string | null, value: string, key = 'colour', application = 'crew-app') => ({
    application,
    inventory,
    key,
    value,
  })
  const all = [
    one(null, 'grey'),
    one('north', 'red'),
    one('south', 'blue'),
    one('east', 'red'),
    one('north', 'round', 'shape'),
    one(null, 'green', 'colour', 'console'),
  ]

  test.for([
    [['north'], { colour: 'red', shape: 'round' }],
    [['west'], { colour: 'grey' }],
    [[], { colour: 'grey' }],
    [['north', 'east'], { colour: 'red' }],
    [['north', 'south'], { colour: 'grey' }],
    [['north', 'west'], { colour: 'grey' }],
  ] as const)(
    'of the customers %s is theirs where they agree, else that of all',
    ([inventories, expected]) => {
      expect(configurationFor(all, 'Crew-App', inventories)).toEqual(expected)
    },
  )
})
