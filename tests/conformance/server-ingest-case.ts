/** Files of other systems, which a server ingests for a channel. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { INGESTED } from '@backhaul/contract/nouns/files'
import { until } from '../stage/until.ts'
import { ingestFolder, type ServerUnderTest } from './server-under-test.ts'
import { confirmed, patienceMs } from './shared-cases.ts'

export async function takesFilesIn(server: ServerUnderTest): Promise<string> {
  const channelId = 'channel-of-another-server'
  await server.want([], { ingest: [{ channelId, folder: 'Pool' }] })
  const place = join(server.folder, ingestFolder, 'Pool')
  await until('the folder of the channel', () => existsSync(place), patienceMs)
  const path = join(place, 'Bulletin.txt')
  writeFileSync(`${path}.json`, JSON.stringify({ slugline: 'Harbour fire' }))
  writeFileSync(path, 'as it came')
  const file = await until(
    'the file',
    () => server.files().find((one) => one.channelId === channelId && one.unitId === INGESTED),
    patienceMs,
  )
  if (file.labels?.slugline !== 'Harbour fire')
    throw new Error(`its labels are ${JSON.stringify(file.labels)}`)
  await until('its end in the folder', () => !existsSync(path), patienceMs)
  const { unitId, fileName } = file
  await confirmed(server, 'remove_file', { file: { channelId, unitId, fileName } })
  return `${fileName} is a file of the channel, with its label`
}
