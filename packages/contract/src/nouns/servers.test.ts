import { expect, test } from 'vitest'
import { because } from '../define/refusals.ts'
import { deletionFault } from './server-deletion.ts'
import { serverTimeZones, zoneAbbreviation } from './servers.ts'

test('[SRV-006] a server is not deleted while a channel is busy, sharing, streaming or recorded, in this order', () => {
  const idle = {
    name: 'One',
    allocatedToUnitUid: null,
    sharing: false,
    status: 'idle' as const,
    streamingDestinations: [],
    recording: false,
  }
  const destination = { id: 'd', protocol: 'srt', url: 'srt://192.0.2.1:9000' }
  const recorded = { ...idle, name: 'Four', recording: true }
  const configured = { ...idle, name: 'Three', streamingDestinations: [destination] }
  const streaming = { ...configured, status: 'collecting' as const }
  const sharing = { ...idle, name: 'Two', sharing: true }
  const busy = { ...idle, name: 'Five', allocatedToUnitUid: 'u-1' }
  expect(deletionFault([idle, configured])).toBeUndefined()
  expect(deletionFault([idle, recorded])).toBe('server.recording')
  expect(deletionFault([recorded, streaming])).toEqual(
    because('server.channelStreaming', { channel: 'Three' }),
  )
  expect(deletionFault([recorded, streaming, sharing])).toEqual(
    because('server.channelSharing', { channel: 'Two' }),
  )
  expect(deletionFault([recorded, streaming, sharing, busy])).toEqual(
    because('server.channelBusy', { channel: 'Five' }),
  )
})

test('[CONF-024] the clock of a server is between eleven hours behind UTC and twelve ahead of it', () => {
  expect([serverTimeZones.length, serverTimeZones[0], serverTimeZones[11], serverTimeZones.at(-1)]).toEqual([
    24,
    'UTC-11',
    'UTC',
    'UTC+12',
  ])
  const named = new Set(serverTimeZones.map(zoneAbbreviation))
  expect([named.size, named.has('')]).toEqual([24, false])
  expect(['UTC-11', 'UTC-5', 'UTC', 'UTC+1', 'UTC+12'].map(zoneAbbreviation)).toEqual([
    'SST',
    'EST',
    'GMT',
    'CET',
    'NZST',
  ])
})
