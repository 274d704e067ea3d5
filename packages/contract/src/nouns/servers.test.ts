import { expect, test } from 'vitest'
import { because } from '../define/refusals.ts'
import { products, unitKindOf, unitKinds } from './products.ts'
import { deletionFault } from './server-deletion.ts'
import { channelsInUse, serverTimeZones, zoneAbbreviation } from './servers.ts'

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

test('[UNIT-001] every product is of one of the seven kinds that a list of units holds', () => {
  expect(new Set(products.map(({ name }) => unitKindOf(name)))).toEqual(new Set(unitKinds))
  const servers = products.filter(({ name }) => unitKindOf(name) === 'servers').map(({ name }) => name)
  expect(servers).toEqual([
    'MMH Server',
    'Video Return Server',
    'Transceiver Server',
    'Ingest Server',
    'Databridge Gateway',
    'Multimedia Hub',
    'Video Return Channel',
    'Transceiver Feed',
  ])
  expect(unitKindOf('A newer model')).toBe('fieldUnits')
})

test('a channel that receives and is recorded is in use once', () => {
  const applications = { collecting: { channels: ['a', 'b'] }, recording: { channels: ['b'] } }
  expect(channelsInUse({ applications })).toEqual(['a', 'b'])
  expect(channelsInUse({ applications: {} })).toEqual([])
})
