/** What the crew of a simulated unit says over its intercom, and the picture that comes back to it. */
import { defaultVrSettings, type VrSettings } from '@backhaul/contract/nouns/video-return'
import { openSpeechPort } from '@backhaul/speech/speech-port'
import { until } from '../stage/until.ts'
import { sessionKey } from './received-picture.ts'
import type { ServerAtCore } from './server-at-core.ts'
import { wantedChannel } from './server-under-test.ts'
import { targetsOf } from './simulation.ts'
import type { UnitAtCore } from './unit-at-core.ts'

const key = sessionKey.toString('base64')

/** `look` runs while the first line is connected, and speech has come over it. */
export async function talks(unit: UnitAtCore, look: () => Promise<string>): Promise<string> {
  const speech = await openSpeechPort('127.0.0.1', 0)
  let frames = 0
  speech.admit({ sessionId: 'talk-1', key: sessionKey, onFrame: () => frames++ })
  const line = { intercom: 1, mode: 'audioRoom', destination: 'room', server: '', account: null } as const
  const targets = [{ host: '127.0.0.1', port: speech.port }]
  try {
    await unit.want({
      intercoms: [{ id: 'talk-1', ...line, roomId: 'room-1', serverId: 'server-1', key, targets }],
    })
    await until('the line', () => unit.actual().intercoms?.[0]?.state === 'connected')
    await until('the sound of the crew', () => frames > 0)
    return await look()
  } finally {
    await unit.want({ intercoms: [] })
    await speech.close()
  }
}

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
