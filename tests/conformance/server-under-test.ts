/** A real hub with its further servers at the scripted core, and what sends to it. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSender } from '@backhaul/bonding/sender'
import type { WantedChannel } from '@backhaul/contract/gateway/servers'
import { PREVIEW_SIGNATURE_HEADER } from '@backhaul/contract/gateway/shared'
import { signRequest, steadyMs } from '@backhaul/runtime/signed-requests'
import { until } from '../stage/until.ts'
import { colourOfPicture, makeFilm, playFilm } from './film.ts'
import { freePort } from './free-port.ts'
import { createPackages } from './packages.ts'
import { openPipeNetwork, type PipeNetwork } from './pipe-network.ts'
import { sessionKey } from './received-picture.ts'
import { startScriptedCores } from './scripted-core.ts'
import { followServer, type ServerAtCore } from './server-at-core.ts'
import { startSupervised } from './supervised-program.ts'

export interface ServerUnderTest extends ServerAtCore {
  readonly ffmpegPath: string
  /** Everything of this run; removed at the end. */
  readonly folder: string
  /** The servers of its own next to it: for video return, and for databridges. */
  readonly returns: ServerAtCore
  readonly gateway: ServerAtCore
  /** The one that its owner has opened to IP pipes. */
  readonly network: PipeNetwork
  /** The port at which it receives TSL UMD. */
  readonly tallyPort: number
  /** The port at which it serves its metrics. */
  readonly metricsPort: number
  /** A stream of one colour and 1500 kbit/s, with noise as its sound. */
  film(colour: string): string
  makePackage(version: string): Buffer
  /** Sends a red picture as a unit does, over two links, until the returned function is called. */
  sendAsUnit(slot: string, transmissionId: string, key?: Buffer): Promise<() => Promise<void>>
  /** The colour of the channel's newest still, at a place of the picture from 0 to 1; undefined while there is none. */
  still(channelId: string, x?: number, y?: number): Promise<string | undefined>
  /** From the server's own HTTP, signed as core signs its requests. */
  fetch(path: string): Promise<Response>
  /** The same with a description of a session. */
  post(path: string, body: string): Promise<Response>
  stop(): Promise<void>
}

/** Written by the command that the owner of this server has set for its time zone. */
export const zoneFile = 'zone'
/** In the folder of this run. */
export const hotFolder = 'hot'
export const ingestFolder = 'in'
/** The products of the hub, and of its servers next to it. */
const products = {
  core: 'MMH Server',
  returns: 'Video Return Server',
  gateway: 'Databridge Gateway',
}
const previewKey = 'key-of-the-scripted-core'

export const inputKey = 'k7m2p9qxw4rtn8vcb3hd6fgj'

export const wantedChannel = (slot: string, more: Partial<WantedChannel> = {}): WantedChannel => ({
  channelId: `channel-of-${slot}`,
  slot,
  name: slot,
  intake: null,
  ...(slot.startsWith('srt') && { inputKey }),
  recording: false,
  outputs: [],
  ...more,
})

export async function startServerUnderTest(ffmpegPath: string): Promise<ServerUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-conformance-'))
  for (const name of [hotFolder, ingestFolder]) mkdirSync(join(folder, name))
  const packages = createPackages('hub', folder)
  const { core, ...further } = await startScriptedCores(products, {
    keys: () => ({ previewKey, previewTime: steadyMs() }),
  })
  const server = followServer(core)
  const [returns, gateway] = [followServer(further.returns), followServer(further.gateway)]
  const { actual, ports } = server

  function film(colour: string): string {
    const path = join(folder, `${colour}.mkv`)
    if (!existsSync(path)) makeFilm(ffmpegPath, colour, path, 1500)
    return path
  }

  const [tallyPort, metricsPort] = [await freePort(), await freePort()]
  const network = await openPipeNetwork()
  const hub = startSupervised('hub', {
    BACKHAUL_CORE_URL: `${core.url.replace('http', 'ws')}/gateway`,
    BACKHAUL_DATA: join(folder, 'hub'),
    BACKHAUL_HUB_CHANNELS: '2',
    BACKHAUL_HUB_INPUTS: 'srt',
    BACKHAUL_HUB_SMPTE: '1',
    BACKHAUL_HUB_MEDIA_PORT: '0',
    BACKHAUL_HUB_ADDRESS: '127.0.0.1',
    BACKHAUL_HUB_LOOPS: '0',
    BACKHAUL_HUB_IFBS: film('blue'),
    BACKHAUL_HUB_RETURN_CHANNELS: '1',
    BACKHAUL_HUB_RETURN_INPUTS: film('blue'),
    BACKHAUL_HUB_DATABRIDGE_PORT: '0',
    BACKHAUL_HUB_DATABRIDGE_TO: '127.0.0.1',
    BACKHAUL_HUB_WEB_PORT: '0',
    BACKHAUL_HUB_WEB_HOST: '127.0.0.1',
    BACKHAUL_HUB_TALLY_PORT: String(tallyPort),
    BACKHAUL_HUB_METRICS_PORT: String(metricsPort),
    BACKHAUL_HUB_HOT_FOLDER: join(folder, hotFolder),
    BACKHAUL_HUB_INGEST_FOLDER: join(folder, ingestFolder),
    BACKHAUL_HUB_IP_PIPE_NETWORKS: network.bridge,
    BACKHAUL_HUB_TIMEZONE: `printf %s >'${join(folder, zoneFile)}'`,
    BACKHAUL_UPGRADE_KEY: packages.publicKey,
  })

  const request = (method: 'GET' | 'POST', path: string, body?: string) =>
    fetch(`http://127.0.0.1:${actual().previewPort}${path}`, {
      method,
      headers: {
        [PREVIEW_SIGNATURE_HEADER]: signRequest(previewKey, { method, path }, steadyMs()),
        ...(body !== undefined && { 'content-type': 'application/sdp' }),
      },
      ...(body !== undefined && { body }),
    })
  const get = (path: string) => request('GET', path)

  await until('the hub to report its ports', () => actual().ports?.length, 60_000).catch((error: Error) => {
    throw new Error(`${error.message}\n${hub.lastLines()}`)
  })
  return {
    ...server,
    returns,
    gateway,
    ffmpegPath,
    folder,
    film,
    network,
    tallyPort,
    metricsPort,
    makePackage: packages.make,
    async sendAsUnit(slot, transmissionId, key = sessionKey) {
      const remotePort = ports(slot)?.ristPort ?? 0
      const link = (id: string, localAddress: string) => ({
        id,
        localAddress,
        remoteHost: '127.0.0.1',
        remotePort,
        startKbps: 2000,
      })
      const sender = createSender({
        sessionId: transmissionId,
        links: [link('Modem 1', '127.0.0.2'), link('eth0', '127.0.0.3')],
        bufferMs: 1000,
        key,
      })
      const player = playFilm(ffmpegPath, film('red'), { onData: (bytes) => sender.push(bytes) })
      return async () => {
        await player.stop()
        sender.close()
      }
    },
    async still(channelId, x = 0.5, y = 0.5) {
      const answer = await get(`/channels/${channelId}/still.jpg`)
      if (!answer.ok) return undefined
      return colourOfPicture(ffmpegPath, Buffer.from(await answer.arrayBuffer()), x, y)
    },
    fetch: get,
    post: (path, body) => request('POST', path, body),
    async stop() {
      await hub.stop()
      await core.close()
      network.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
