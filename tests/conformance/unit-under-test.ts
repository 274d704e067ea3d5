/** A real agent between the scripted core and two receivers: two cameras that are files, a headset, a modem and a fixed line. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { WantedTransmission } from '@backhaul/contract/gateway/units'
import { SAMPLE_RATE } from '@backhaul/speech/frames'
import { until } from '../stage/until.ts'
import { makeFilm } from './film.ts'
import { createPackages } from './packages.ts'
import { openPipeNetwork, type PipeNetwork } from './pipe-network.ts'
import { openReceivedPicture, type ReceivedPicture, sessionKey } from './received-picture.ts'
import { startScriptedCore } from './scripted-core.ts'
import { patienceMs } from './shared-cases.ts'
import { startSupervised } from './supervised-program.ts'
import { followUnit, type UnitAtCore } from './unit-at-core.ts'

export interface UnitUnderTest extends UnitAtCore {
  readonly ffmpegPath: string
  /** Everything of this run; removed at the end. */
  readonly folder: string
  /** The network of its crew, for IP pipes. */
  readonly network: PipeNetwork
  /** The picture of its first camera, or of the one that the switcher shows. */
  readonly first: ReceivedPicture
  readonly second: ReceivedPicture
  /** A signed package of the agent as a version of this number. */
  makePackage(version: string): Buffer
  /** Sends to `first`, if it does not already; with feeds, to `second` too. */
  goOnAir(more?: Pick<WantedTransmission, 'activity' | 'feeds'>): Promise<void>
  goOffAir(): Promise<void>
  stop(): Promise<void>
}

export const linkAddresses = { modem: '127.0.0.2', ethernet: '127.0.0.3' } as const
const bitrateKbps = 3000
/** The file to which the display of this unit, a command, writes a returned picture. */
export const returnedFile = 'returned.ts'
/** The tone that the microphone of its crew hears, and what their headset and the speaker for their IFB have played. */
export const crewHertz = 400
export const headsetFile = 'headset.raw'
export const ifbFile = 'ifb.raw'
const crewTone = `sine=frequency=${crewHertz}:sample_rate=${SAMPLE_RATE},volume=2`
/** Written by the command that the owner of this unit has set for its shutdown. */
export const shutdownMark = 'was-shut-down'

/** With these settings of the program in addition. */
export async function startUnitUnderTest(
  ffmpegPath: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<UnitUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-conformance-'))
  const cameras = ['red', 'lime'].map((colour) => ({ colour, path: join(folder, `${colour}.mkv`) }))
  for (const { colour, path } of cameras) makeFilm(ffmpegPath, colour, path)
  mkdirSync(join(folder, 'unit', 'media'), { recursive: true })
  const [first, second] = [await openReceivedPicture(ffmpegPath), await openReceivedPicture(ffmpegPath)]
  let transmissions = 0

  const core = await startScriptedCore()
  const unit = followUnit(core)
  const { actual, want } = unit
  const packages = createPackages('agent', folder)
  const network = await openPipeNetwork()
  const agent = startSupervised('agent', {
    BACKHAUL_CORE_URL: core.url,
    BACKHAUL_DATA: join(folder, 'unit'),
    BACKHAUL_UNIT_NAME: 'Unit under test',
    BACKHAUL_SOURCE: `file:${cameras[0]?.path}`,
    BACKHAUL_SOURCE_2: `file:${cameras[1]?.path}`,
    BACKHAUL_LINKS: `Modem 1=${linkAddresses.modem},eth0=${linkAddresses.ethernet}`,
    BACKHAUL_BITRATE_KBPS: String(bitrateKbps),
    BACKHAUL_RETURN_PORT: '0',
    BACKHAUL_DATABRIDGE_ADDRESS: '127.0.0.1',
    BACKHAUL_IP_PIPE_BRIDGE: network.bridge,
    BACKHAUL_RETURN_DISPLAY: `cat > '${join(folder, returnedFile)}'`,
    BACKHAUL_UPGRADE_KEY: packages.publicKey,
    BACKHAUL_MICROPHONE_1: `exec ${ffmpegPath} -v error -nostdin -re -f lavfi -i ${crewTone} -ac 1 -f s16le -flush_packets 1 pipe:1`,
    BACKHAUL_SPEAKER_1: `cat >> '${join(folder, headsetFile)}'`,
    BACKHAUL_IFB_SPEAKER: `cat >> '${join(folder, ifbFile)}'`,
    BACKHAUL_SHUTDOWN: `touch '${join(folder, shutdownMark)}'`,
    ...settings,
  })

  async function goOffAir(): Promise<void> {
    if (unit.wanted().transmission) await want({ transmission: null, channelId: null })
  }

  await until('the unit to report', () => actual().applications, patienceMs).catch((error: Error) => {
    throw new Error(`${error.message}\n${agent.lastLines()}`)
  })
  return {
    ...unit,
    ffmpegPath,
    folder,
    network,
    first,
    second,
    makePackage: packages.make,
    async goOnAir(more = {}) {
      const { transmission } = unit.wanted()
      if (transmission && JSON.stringify(transmission.feeds) === JSON.stringify(more.feeds)) return
      await goOffAir()
      const id = `transmission-${++transmissions}`
      first.admit(id)
      second.admit(id)
      const key = sessionKey.toString('base64')
      await want({
        channelId: 'one',
        transmission: { id, channelId: 'one', key, targets: [first.target], ...more },
      })
      await until('the unit to be streaming', () => actual().state === 'streaming', patienceMs)
    },
    goOffAir,
    async stop() {
      await agent.stop()
      await Promise.all([core.close(), first.close(), second.close()])
      network.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
