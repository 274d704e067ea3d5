import { expect, test } from 'vitest'
import { readAgentSettings } from './settings.ts'

const core = { BACKHAUL_CORE_URL: 'http://10.0.0.1:8080' }

test('a flag goes over its variable, and the rest has defaults', () => {
  const settings = readAgentSettings(['--core', 'https://console.example', '--codec', 'h265'], core)
  expect(settings).toMatchObject({
    BACKHAUL_CORE_URL: 'wss://console.example/gateway',
    BACKHAUL_CODEC: 'h265',
    BACKHAUL_SOURCE: { kind: 'testPattern' },
    BACKHAUL_BITRATE_KBPS: 4000,
  })
  expect(settings.BACKHAUL_LINKS).toBeUndefined()
})

test('core is found by its plain address or by that of its gateway', () => {
  expect(readAgentSettings([], core).BACKHAUL_CORE_URL).toBe('ws://10.0.0.1:8080/gateway')
  const exact = { BACKHAUL_CORE_URL: 'ws://10.0.0.1:8080/gateway' }
  expect(readAgentSettings([], exact).BACKHAUL_CORE_URL).toBe('ws://10.0.0.1:8080/gateway')
})

test('links are addresses with or without a name', () => {
  const { BACKHAUL_LINKS } = readAgentSettings(['--links', '127.0.0.2, Modem 1=127.0.0.3'], core)
  expect(BACKHAUL_LINKS).toEqual([
    { id: '127.0.0.2', kind: 'ethernet', address: '127.0.0.2' },
    { id: 'Modem 1', kind: 'modem', address: '127.0.0.3' },
  ])
})

test('what is wrong is named with its rule', () => {
  expect(() => readAgentSettings([], {})).toThrow('BACKHAUL_CORE_URL: is not set')
  expect(() => readAgentSettings(['--links', 'eth0'], core)).toThrow(
    'BACKHAUL_LINKS: must be local addresses',
  )
  expect(() => readAgentSettings(['--codec', 'av1'], core)).toThrow('BACKHAUL_CODEC: must be h264 or h265')
  expect(() => readAgentSettings(['--colour', 'red'], core)).toThrow("Unknown option '--colour'")
})
