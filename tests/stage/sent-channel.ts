/** A channel of a real hub with a real unit that may send to it, and a destination where its packets are kept. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { api } from '@backhaul/contract/api/api'
import type { Channel } from '@backhaul/contract/nouns/channels'
import { patientMs } from '@backhaul/runtime/testing/until'
import { type Listener, type Person, signIn } from './person.ts'
import { adminPassword, openStage, type Stage } from './stage.ts'
import { until } from './until.ts'

export interface SentChannel {
  readonly stage: Stage
  readonly person: Person
  readonly push: Listener
  readonly unitId: string
  readonly channelId: string
  /** Waits until the console would show such a channel. */
  shows(check: (channel: Channel) => boolean): Promise<unknown>
  /** The stream at the destination from now on, once it is at least as long. */
  arriving(bytes: number): Promise<Buffer>
  close(): Promise<void>
}

const longMs = patientMs(120_000)

/** `unit`: settings of the agent. */
export async function openSentChannel(unit: NodeJS.ProcessEnv): Promise<SentChannel> {
  const stage = await openStage({ demo: 0 })
  await stage.start('hub', { env: { BACKHAUL_HUB_CHANNELS: '1' } })
  const person = await signIn(stage.url, 'admin', adminPassword)
  const query = { group: 'newsroom' }
  const channelId = await until(
    'the channel',
    async () => (await person.call(api.channels.ofGroup, { query }))[0]?.uniqueId,
  )
  await stage.start('agent', {
    env: {
      BACKHAUL_UNIT_NAME: 'Van-1',
      BACKHAUL_LINKS: 'Modem 1=127.0.0.2,Modem 2=127.0.0.3',
      ...unit,
    },
  })
  const unitId = await until('the unit', async () => {
    const [there] = await person.call(api.units.ofGroup, { query })
    return there?.idle ? there.uid : undefined
  })
  const push = await person.listen([`channel.${channelId}`])
  let packets: Buffer[] = []
  let bytes = 0
  const far = createSocket('udp4').bind(0, '127.0.0.1')
  far.on('message', (packet) => {
    packets.push(packet)
    bytes += packet.length
  })
  await once(far, 'listening')
  const { port } = far.address()
  const destination = { name: 'Far', streamType: 'MPEG-TS', ip: '127.0.0.1', port } as const
  await person.call(api.destinations.add, { body: { uid: channelId, destination } })
  return {
    stage,
    person,
    push,
    unitId,
    channelId,
    shows: (check) =>
      push.until(`channel.${channelId}`, (state) => check(state as unknown as Channel), longMs),
    async arriving(least) {
      packets = []
      bytes = 0
      await until('a piece of the stream at the destination', () => bytes >= least, longMs)
      return Buffer.concat(packets)
    },
    async close() {
      push.close()
      far.close()
      await stage.stop()
    },
  }
}
