/** A simulated unit that fetches the picture of a studio. */
import { defaultVrSettings, type VrSettings } from '@backhaul/contract/nouns/video-return'
import { until } from '../stage/until.ts'
import { sessionKey } from './received-picture.ts'
import type { ServerAtCore } from './server-at-core.ts'
import { wantedChannel } from './server-under-test.ts'
import { targetsOf } from './simulation.ts'
import type { UnitAtCore } from './unit-at-core.ts'

const key = sessionKey.toString('base64')

/** `look` runs while the unit fetches the picture of the first channel, with these settings of the channel. */
export async function fetches(
  { unit, returnServer }: { unit: UnitAtCore; returnServer: ServerAtCore },
  look: () => Promise<string>,
  changes: Partial<VrSettings> = {},
): Promise<string> {
  const id = `return-${performance.now()}`
  const { description: _, ...settings } = { ...defaultVrSettings, ...changes }
  const session = { id, unitId: 'unit-1', key, input: null }
  await returnServer.want([wantedChannel('1', { videoReturn: { settings, session } })])
  const targets = targetsOf(returnServer, '1')
  try {
    await unit.want({ videoReturn: { id, channelId: 'back', key, targets, latencyMs: 500 } })
    await until('the unit to fetch', () => unit.actual().applications?.videoReturn?.state === 'collecting')
    await until('its server to know', () => returnServer.channel('channel-of-1')?.status === 'collecting')
    return await look()
  } finally {
    await unit.want({ videoReturn: null })
    await returnServer.want([])
  }
}
