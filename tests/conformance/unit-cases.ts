/** Everything that core can want of a unit or order from it, and everything that a unit can report, on a real agent. */
import { existsSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createCalledSender } from '@backhaul/bonding/called-sender'
import type { UnitWanted } from '@backhaul/contract/gateway/units'
import { until } from '../stage/until.ts'
import { colourOfPicture, makeFilm, playFilm } from './film.ts'
import { sessionKey } from './received-picture.ts'
import {
  confirmed,
  joinsAgain,
  messages,
  ordersForServers,
  patienceMs,
  restartsBy,
  sendsLog,
  stopsLog,
} from './shared-cases.ts'
import type { UnitAtCore } from './unit-at-core.ts'
import { bridges } from './unit-databridge-case.ts'
import { worksAs } from './unit-mode-case.ts'
import { type AgentUnderTest, networkCases } from './unit-network-cases.ts'
import { joinsCrew } from './unit-pipe-case.ts'
import { changesChannel, repairsWithin } from './unit-route-cases.ts'
import { anyFile, settingCases } from './unit-settings-cases.ts'
import { audible, openRoom, plays, talks } from './unit-talk.ts'
import {
  crewHertz,
  headsetFile,
  ifbFile,
  linkAddresses,
  returnedFile,
  shutdownMark,
  type UnitUnderTest,
} from './unit-under-test.ts'
import type { Cases } from './verdicts.ts'

const wantedCases: Cases<UnitUnderTest> = {
  async 'wanted transmission'(unit) {
    await unit.goOffAir()
    await unit.goOnAir()
    const [shown] = await unit.first.shown()
    if (shown !== 'red') throw new Error(`the picture is ${shown}`)
    await unit.goOffAir()
    await until('nothing to come any more', () => unit.first.kbps() === 0, patienceMs)
    return 'the picture of the camera comes, and ends'
  },
  'wanted channelId': changesChannel,
  'wanted delayMs': repairsWithin,
  async 'wanted disabledLinks'(unit) {
    await unit.goOnAir()
    await until('both links to carry', () =>
      Object.values(linkAddresses).every((one) => unit.first.kbps(one) > 50),
    )
    const port = unit.actual().links?.find(({ kind }) => kind === 'modem')?.port ?? 0
    await unit.want({ disabledLinks: [port] })
    await until('nothing over the modem', () => unit.first.kbps(linkAddresses.modem) === 0, patienceMs)
    await unit.want({ disabledLinks: [] })
    await until('the modem to carry again', () => unit.first.kbps(linkAddresses.modem) > 50, patienceMs)
    return 'nothing is sent over the link until it is enabled again'
  },
  'wanted videoReturn': returnsVideo,
  'wanted extenders': {
    reason: 'its hardware is not there',
    async check(unit) {
      await unit.want({ extenders: ['X-1'] })
      await unit.want({ extenders: [] })
      if (unit.actual().extenders !== undefined) throw new Error('it claims link extenders')
      return 'not claimed'
    },
  },
  'wanted databridge': bridges,
  async 'wanted ipPipe'(unit) {
    const { fault } = unit.network
    if (fault === undefined) return await joinsCrew(unit)
    const place = { serverId: 'server-1', key: sessionKey.toString('base64'), targets: [unit.first.target] }
    await isRefused(unit, { ipPipe: { id: 'pipe-1', channel: 'one', ...place } }, { ipPipe: null })
    return { absent: fault }
  },
  'wanted intercoms': (unit) =>
    talks(unit, async (room) => {
      await until('the crew in the room', () => room.loudness(crewHertz) > audible, patienceMs)
      await until('the room in the headset', () => plays(join(unit.folder, headsetFile)), patienceMs)
      return 'the crew and the room hear each other'
    }),
  'wanted ifb': hearsProgramme,
}

export async function isRefused(
  unit: UnitAtCore,
  changes: Partial<UnitWanted>,
  back: Partial<UnitWanted>,
): Promise<string> {
  const follow = unit.want(changes).then(
    () => 'followed',
    () => 'refused',
  )
  const answer = await follow.finally(() => unit.want(back))
  if (answer !== 'refused') throw new Error('it claims what is not set')
  return answer
}

/** The unit calls, gets a blue picture, and hands it to its display. */
async function returnsVideo(unit: UnitUnderTest): Promise<string> {
  const film = join(unit.folder, 'returned.mkv')
  makeFilm(unit.ffmpegPath, 'blue', film, 1000)
  const sender = await createCalledSender({ bindHost: '127.0.0.1', port: 0 })
  sender.setSession({ sessionId: 'return-1', key: sessionKey, bufferMs: 500, startKbps: 2000 })
  const player = playFilm(unit.ffmpegPath, film, { onData: (bytes) => sender.push(bytes) })
  try {
    const targets = [{ host: '127.0.0.1', port: sender.port }]
    const key = sessionKey.toString('base64')
    await unit.want({ videoReturn: { id: 'return-1', channelId: 'back', key, targets, latencyMs: 500 } })
    const shown = join(unit.folder, returnedFile)
    await until('the returned picture', () => existsSync(shown) && statSync(shown).size > 200_000, patienceMs)
    const colour = colourOfPicture(unit.ffmpegPath, readFileSync(shown), 0.5, 0.5)
    if (colour !== 'blue') throw new Error(`the display got a picture that is ${colour}`)
    await until('what is received to be reported', () => (unit.actual().receivedReturn?.kbps ?? 0) > 0)
    await unit.want({ videoReturn: null })
    return 'the display shows the picture'
  } finally {
    await player.stop()
    await sender.close()
  }
}

/** Its speaker for the IFB plays the sound of the server while that is wanted. */
async function hearsProgramme(unit: UnitUnderTest): Promise<string> {
  const room = await openRoom('ifb-1')
  try {
    await unit.want({ ifb: { id: 'ifb-1', channelId: 'one', delayMs: 300, ...room.place } })
    await until('the programme at the speaker', () => plays(join(unit.folder, ifbFile)), patienceMs)
    await unit.want({ ifb: null })
    await until('its end', () => unit.actual().applications?.ifb === undefined, patienceMs)
    return 'the speaker of the crew plays the programme'
  } finally {
    await unit.want({ ifb: null })
    await room.close()
  }
}

const orderCases: Cases<UnitUnderTest> = {
  'order virtual_channels_updated': async (unit) => {
    await confirmed(unit, 'virtual_channels_updated')
    return 'the wanted state is followed again'
  },
  async 'order send_logs'(unit) {
    await unit.goOffAir()
    return await sendsLog((text) => text.includes('unit started'))(unit)
  },
  'order stop_logs': stopsLog(),
  async 'order list_folder'(unit) {
    const place = await anyFile(unit)
    const names: string[] = []
    const stop = unit.core.listen((message) => {
      if (message.type === 'folder') names.push(...message.entries.map(({ name }) => name))
    })
    await confirmed(unit, 'list_folder', { listId: 'list-1', path: dirname(place) })
    stop()
    if (!names.includes(basename(place))) throw new Error(`the folder holds ${names.join(', ')}`)
    return 'the names of the files'
  },
  async 'order upload_file'(unit) {
    const place = await anyFile(unit)
    await confirmed(unit, 'upload_file', { uploadId: 'upload-1', path: place })
    const sent = unit.core.uploads.get('upload-1')
    if (!sent?.equals(readFileSync(place))) throw new Error(`${sent?.length} bytes arrived, not the file`)
    return `${sent.length} bytes arrived as they are in the file`
  },
  async 'order delete_files'(unit) {
    const place = await anyFile(unit)
    await confirmed(unit, 'delete_files', { paths: [place] })
    if (existsSync(place)) throw new Error('the file is still there')
    return 'the file is gone'
  },
  async 'order shutdown'(unit) {
    await unit.goOffAir()
    await confirmed(unit, 'shutdown')
    if (!existsSync(join(unit.folder, shutdownMark))) throw new Error('the command of the owner did not run')
    return 'the command of the owner ran'
  },
  'order reboot': restartsBy('reboot'),
  async 'order upgrade'(unit) {
    const version = '8.0.99'
    await unit.goOffAir()
    unit.core.upgrade(version, unit.makePackage(version))
    await until('the version of the package', () => unit.swVersion() === version, patienceMs)
    const installed = readlinkSync(join(unit.folder, 'unit', 'versions', 'current'))
    if (installed !== version) throw new Error(`${installed} is installed`)
    return 'the version of the package runs'
  },
  'order delete_certificate': joinsAgain,
  ...ordersForServers,
}

export const unitMessages = [
  'register',
  'hello',
  'report',
  'telemetry',
  'outcome',
  'logPart',
  'folder',
  'upgradeProgress',
]

/** In this order: what restarts the unit comes late, and its messages are counted at the end. */
export const unitCases: Cases<AgentUnderTest> = {
  ...wantedCases,
  ...settingCases,
  'setting workingMode': worksAs,
  ...networkCases,
  ...orderCases,
  ...messages(...unitMessages),
}
