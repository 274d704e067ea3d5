import { describe, expect, test } from 'vitest'
import { DeviceService, isServiceOf, withDeviceServices } from './device-services.ts'

describe('services given to a device for a time', () => {
  test('come in addition to its own, each once', () => {
    expect(withDeviceServices(['video'], ['ai', 'video'])).toEqual(['video', 'ai'])
    expect(withDeviceServices(['video'])).toEqual(['video'])
  })

  test('four cameras replace two', () => {
    expect(withDeviceServices(['video', 'pro2'], ['pro4'])).toEqual(['video', 'pro4'])
    expect(withDeviceServices(['video', 'pro2'], ['ai'])).toEqual(['video', 'pro2', 'ai'])
  })

  test('are for units or for servers', () => {
    expect([isServiceOf('unit', 'sla'), isServiceOf('server', 'sla')]).toEqual([true, false])
    expect([isServiceOf('unit', 'cloud'), isServiceOf('server', 'cloud')]).toEqual([false, true])
    const unknown = DeviceService.safeParse({ device: 'u-1', service: 'flying', expiration: null })
    expect(unknown.error?.issues[0]?.path).toEqual(['service'])
  })
})
