import { expect, test } from 'vitest'
import { foldersOf } from './ingest.ts'

test('[SRV-009] each channel has a folder of its own at its ingest server, also where channels have one name', () => {
  const channel = (uniqueId: string, name: string, serverName: string) => ({ uniqueId, name, serverName })
  expect(
    foldersOf([
      channel('ch-2', 'Channel-1', 'Paris'),
      channel('ch-3', 'London-1', 'London'),
      channel('ch-1', 'Channel-1', 'Oslo'),
    ]),
  ).toEqual([
    { channelId: 'ch-1', folder: 'Channel-1@Oslo' },
    { channelId: 'ch-2', folder: 'Channel-1@Paris' },
    { channelId: 'ch-3', folder: 'London-1' },
  ])
})
