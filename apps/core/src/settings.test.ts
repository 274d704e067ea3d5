import { SettingsError } from '@backhaul/runtime/settings'
import { expect, test } from 'vitest'
import { readCoreSettings } from './settings.ts'

const publicUrlOf = (BACKHAUL_PUBLIC_URL: string) => readCoreSettings({ BACKHAUL_PUBLIC_URL }).publicUrl

test('the demo is for this machine only unless the operator sets otherwise', () => {
  expect(readCoreSettings({}).host).toBe('0.0.0.0')
  expect(readCoreSettings({ BACKHAUL_DEMO: '1' }).host).toBe('127.0.0.1')
  expect(readCoreSettings({ BACKHAUL_DEMO: '1', BACKHAUL_HOST: '192.0.2.1' }).host).toBe('192.0.2.1')
})

test('core is open to others by its own address or by the public one', () => {
  const isOpen = (env: Record<string, string>) =>
    readCoreSettings({ BACKHAUL_DEMO: '1', ...env }).isOpenToOthers
  const hosts = [
    '127.0.0.1',
    '127.9.9.9',
    '::1',
    'localhost',
    '127.example.com',
    '0.0.0.0',
    '::',
    '192.0.2.1',
  ]
  expect(hosts.filter((host) => isOpen({ BACKHAUL_HOST: host }))).toEqual(hosts.slice(4))
  expect(isOpen({})).toBe(false)
  expect(isOpen({ BACKHAUL_PUBLIC_URL: 'http://[::1]:8080' })).toBe(false)
  expect(isOpen({ BACKHAUL_PUBLIC_URL: 'https://tv.example' })).toBe(true)
})

test('the public address is an origin, and undefined when the operator sets none', () => {
  expect(publicUrlOf('https://tv.example/')).toBe('https://tv.example')
  expect(publicUrlOf('http://tv.example:8080')).toBe('http://tv.example:8080')
  expect(readCoreSettings({}).publicUrl).toBeUndefined()
  for (const [wrong, message] of [
    ['https://tv.example/path', 'must have no path'],
    ['javascript:alert(1)', 'must start with http'],
  ] as const) {
    expect(() => publicUrlOf(wrong)).toThrow(SettingsError)
    expect(() => publicUrlOf(wrong)).toThrow(message)
  }
})
