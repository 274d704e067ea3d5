import { expect, test } from 'vitest'
import { type FileMetadata, partName, partOf, sendsMetadata } from './files.ts'
import { metadataDocument } from './metadata-documents.ts'

test('the parts of a file have its name with their number, and lead back to it', () => {
  expect(partName('Harbour.mp4', 1)).toBe('Harbour.mp4')
  expect(partName('Harbour.mp4', 12)).toBe('Harbour_part12.mp4')
  expect(partOf('Harbour_part12.mp4')).toEqual({ whole: 'Harbour.mp4', index: 12 })
  expect(partOf('Harbour.mp4')).toEqual({ whole: 'Harbour.mp4', index: 1 })
})

test('a document goes with a file unless its label is false', () => {
  expect([
    sendsMetadata({}),
    sendsMetadata({ sendMetadata: 'true' }),
    sendsMetadata({ sendMetadata: 'false' }),
  ]).toEqual([true, true, false])
})

const metadata: FileMetadata = {
  dateTime: '2026-11-21T10:21:08.000Z',
  sizeBytes: 1000,
  resolution: '1920x1080',
  lengthMs: 368_000,
  bitrateKbps: 4000,
  codec: 'h264',
  quality: 'hd',
  unitName: 'VAN-1',
  unitType: 'LU-600',
  gps: { lat: 51.5, lng: -0.12 },
  story: { slugline: 'Fire & <smoke>', 'kind "of"': 'live\u0000' },
  sendMetadata: true,
  promptMetadata: false,
  labels: ['slugline', 'kind "of"'],
}

test('metadata is a document of JSON or XML, whose labels may have any characters', () => {
  expect(JSON.parse(metadataDocument('Harbour.mp4', metadata, 'json'))).toEqual({
    fileName: 'Harbour.mp4',
    ...metadata,
  })
  expect(metadataDocument('Harbour.mp4', metadata, 'xml')).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<file>
  <fileName>Harbour.mp4</fileName>
  <dateTime>2026-11-21T10:21:08.000Z</dateTime>
  <sizeBytes>1000</sizeBytes>
  <resolution>1920x1080</resolution>
  <lengthMs>368000</lengthMs>
  <bitrateKbps>4000</bitrateKbps>
  <codec>h264</codec>
  <quality>hd</quality>
  <unitName>VAN-1</unitName>
  <unitType>LU-600</unitType>
  <sendMetadata>true</sendMetadata>
  <promptMetadata>false</promptMetadata>
  <gps lat="51.5" lng="-0.12"/>
  <labels>
    <label name="slugline">Fire &amp; &lt;smoke&gt;</label>
    <label name="kind &quot;of&quot;">live</label>
  </labels>
</file>
`)
  const bare = { ...metadata, gps: null, quality: null, story: {} }
  expect(metadataDocument('Harbour.mp4', bare, 'xml')).toContain('<labels/>')
})
