/** The video return of a real hub, a server of its own next to it: what a unit gets that calls it. */
import { type CallingReceiver, createCallingReceiver } from '@backhaul/bonding/calling-receiver'
import type { ServerWanted, WantedReturn } from '@backhaul/contract/gateway/servers'
import { defaultVrServer, defaultVrSettings } from '@backhaul/contract/nouns/video-return'
import { until } from '../stage/until.ts'
import { colourOfPicture } from './film.ts'
import { freePort } from './free-port.ts'
import { describe, sessionKey } from './received-picture.ts'
import { type ServerUnderTest, wantedChannel } from './server-under-test.ts'
import { patienceMs } from './shared-cases.ts'

const slot = 'return-1'
const session = {
  id: 'return-of-unit-1',
  unitId: 'unit-1',
  key: sessionKey.toString('base64'),
  input: null,
}
/** Less than the picture could take. */
const bitrateKbps = 1000
const enoughBytes = 250_000

const { description: _, ...usual } = defaultVrSettings
const settings: WantedReturn['settings'] = { ...usual, video: { codec: 'H.264', bitrateKbps } }

const areSilent = (receiver: CallingReceiver) => receiver.stats().links.every(({ up }) => !up)

/** `look` runs while a unit calls the channel over two links, and has been answered on both. */
async function fetching<T>(
  { returns }: ServerUnderTest,
  rest: Omit<ServerWanted, 'channels'>,
  look: (receiver: CallingReceiver, port: number) => Promise<T>,
): Promise<T> {
  const channelIn = (next: WantedReturn['session']) =>
    wantedChannel(slot, { videoReturn: { settings, session: next } })
  await returns.want([channelIn(session)], rest)
  const wantedPort = rest.returns?.firstPort
  const port = await until(
    'its port',
    () => {
      const open = returns.ports(slot)?.returnPort
      return wantedPort === undefined || open === wantedPort ? open : undefined
    },
    patienceMs,
  )
  const receiver = createCallingReceiver({ sessionId: session.id, key: sessionKey, bufferMs: 500 })
  for (const localAddress of ['127.0.0.2', '127.0.0.3'])
    receiver.addLink({ id: localAddress, localAddress, remoteHost: '127.0.0.1', remotePort: port })
  try {
    const areUp = () => receiver.stats().links.every(({ up }) => up)
    await until('an answer on both links', areUp, patienceMs)
    const seen = await look(receiver, port)
    await returns.want([channelIn(null)], rest)
    await until('no answer on any link', () => areSilent(receiver), patienceMs)
    return seen
  } finally {
    receiver.close()
    await returns.want([])
  }
}

/** Checks the first of the ports. */
export async function opensReturnPort(server: ServerUnderTest): Promise<string> {
  const returns = { ...defaultVrServer, firstPort: await freePort() }
  return await fetching(server, { returns }, async (_, port) => `a unit is answered at port ${port}`)
}

/** The picture of its input, in the codec and at the rate that are set. */
export const returnsPicture = (server: ServerUnderTest): Promise<string> =>
  fetching(server, {}, async (receiver) => {
    const received: Buffer[] = []
    receiver.onData((payload) => received.push(Buffer.from(payload)))
    const stream = () => Buffer.concat(received)
    await until('the picture', () => stream().length > enoughBytes, patienceMs)
    const colour = colourOfPicture(server.ffmpegPath, stream(), 0.5, 0.5)
    if (colour !== 'blue') throw new Error(`the picture is ${colour}`)
    const found = describe(server.ffmpegPath, stream())
    if (!/Video: h264/.test(found)) throw new Error(found)
    const kbps = await until(
      'the rate that is set',
      () => {
        const now = receiver.stats().kbps
        return now > bitrateKbps * 0.7 && now < bitrateKbps * 1.4 ? now : undefined
      },
      patienceMs,
    )
    return `a unit gets the picture of the input with ${Math.round(kbps)} kbit/s of H.264, until it may no more`
  })
