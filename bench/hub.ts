/** (l) Hub: what a channel and a viewer cost it, and how many of both it holds. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { memoryOf } from '../scripts/program.ts'
import type { Bench, BenchResult, Row } from './bench-result.ts'
import { median, rounded } from './figures.ts'
import { freePort, type LoadProgram, startLoad, startProcess } from './load/load-program.ts'
import { cpuMs, familyCpuMs } from './load/process-cost.ts'
import { measureJanus, measureLeastViewer } from './viewer-peers.ts'

const clipSeconds = 10
const streamKbps = 4000
const runs = 3
const secondsOfCost = 20
/** A program that has just begun is still being compiled, and runs for days. */
const secondsToSettle = 30
const moreViewers = 8
const goals = { channel: 2.5, viewerPercent: 1.2, channels: 16 }
/** Channels, each with a viewer, until one is not held. */
const steps = [8, 12, goals.channels]
const secondsOfAStep = 30
const minutesOfFull = 30
const secondsBetweenLooks = 2
const inHub = '../apps/hub/src/testing'

interface Channel {
  slot: string
  channelId: string
  port: number
  kbps: number
  status: string
  continuityErrors: number
  uncorrected: number
}

interface Rig {
  hub: LoadProgram
  /** The processor time that units and viewers have used, in milliseconds. */
  othersMs(): number
  channels(): Promise<Channel[]>
  addViewers(count: number): Promise<void>
  viewerPackets(): Promise<number[]>
}

/** The picture and sound of a unit, so uneven that the encoder uses its whole rate. */
function recordClip(file: string): void {
  const picture = 'testsrc2=size=1280x720:rate=30,noise=alls=12:allf=t,format=yuv420p'
  const coder = ['-c:v', 'libx264', '-preset', 'veryfast', '-tune', 'zerolatency', '-profile:v', 'baseline']
  const rate = [
    '-b:v',
    `${streamKbps}k`,
    '-maxrate',
    `${streamKbps}k`,
    '-bufsize',
    `${streamKbps / 4}k`,
    '-g',
    '30',
  ]
  const sound = 'sine=frequency=440:sample_rate=48000'
  const input = `-v error -nostdin -y -f lavfi -i ${picture} -f lavfi -i ${sound} -t ${clipSeconds}`.split(
    ' ',
  )
  const output = '-c:a aac -b:a 128k -ac 2 -f mpegts'.split(' ')
  const { status, stderr } = spawnSync('ffmpeg', [...input, ...coder, ...rate, ...output, file])
  if (status !== 0) throw new Error(`the clip could not be made: ${stderr}`)
}

/** A hub of its own, units that send to all its channels, and a program for its viewers. */
async function openRig(stack: AsyncDisposableStack, count: number, clip: string): Promise<Rig> {
  const folder = join(dirname(clip), 'hub')
  const hub = startLoad(stack, `${inHub}/loaded-hub-program`, [count, folder], memoryOf('hub').args)
  const viewers = startLoad(stack, `${inHub}/viewers-program`)
  const units = startLoad(stack, `${inHub}/units-program`, [clip])
  const channels = async () => (await hub.request<{ channels: Channel[] }>({})).channels
  await units.request((await channels()).map(({ slot, port }) => ({ sessionId: slot, port })))
  for (let tries = 0; !(await channels()).every(({ status }) => status === 'collecting'); tries++) {
    if (tries > 100) throw new Error('the channels do not collect')
    await wait(200)
  }
  return {
    hub,
    othersMs: () => cpuMs(units.pid) + cpuMs(viewers.pid),
    channels,
    async addViewers(more) {
      const there = await channels()
      for (let at = 0; at < more; at++)
        await viewers.request(await hub.request({ watch: there[at % there.length]?.channelId }))
    },
    viewerPackets: async () => (await viewers.request<{ packets: number[] }>({})).packets,
  }
}

/** Percent of one core, of what `spentMs` counts. */
async function percentOf(spentMs: () => number): Promise<number> {
  const [before, startedAt] = [spentMs(), performance.now()]
  await wait(secondsOfCost * 1000)
  return ((spentMs() - before) * 100) / (performance.now() - startedAt)
}

/** The processor share of the process and its children. */
const percentOfFamily = (pid: number): Promise<number> => percentOf(() => familyCpuMs(pid))

/** ffmpeg that takes the same stream by SRT and passes it on by UDP without touching it. */
async function startRelay(stack: AsyncDisposableStack, clip: string): Promise<number> {
  const [srt, udp] = [await freePort(), await freePort()]
  const quiet = ['-nostdin', '-v', 'error']
  const from = `srt://127.0.0.1:${srt}`
  const to = `udp://127.0.0.1:${udp}?pkt_size=1316`
  const copy = ['-c', 'copy', '-f', 'mpegts']
  const relay = startProcess(stack, 'ffmpeg', [...quiet, '-i', `${from}?mode=listener`, ...copy, to])
  await wait(1000)
  const input = ['-re', '-stream_loop', '-1', '-i', clip]
  startProcess(stack, 'ffmpeg', [...quiet, ...input, ...copy, `${from}?pkt_size=1316`])
  await wait(3000)
  return relay.pid
}

/** The same stream over three links to the least program that does what a channel of the hub must. */
async function startLeast(stack: AsyncDisposableStack, clip: string): Promise<LoadProgram> {
  const [input, output] = [await freePort(), await freePort()]
  const least = startLoad(stack, 'peers/least-channel', [output], memoryOf('hub').args)
  await least.request({})
  const links = Array.from({ length: 3 }, () => `127.0.0.1:${output}`)
  const sealer = join(import.meta.dirname, 'bonding', 'sealed-relay.ts')
  startProcess(stack, process.execPath, [sealer, 'seal', '127.0.0.1', String(input), ...links])
  await wait(500)
  const from = ['-nostdin', '-v', 'error', '-re', '-stream_loop', '-1', '-i', clip]
  const to = ['-c', 'copy', '-f', 'mpegts', `udp://127.0.0.1:${input}?pkt_size=1316`]
  startProcess(stack, 'ffmpeg', [...from, ...to])
  return least
}

interface Costs {
  channel: number
  relay: number
  /** The cost of the work that every channel needs. */
  least: number
  firstViewer: number
  furtherViewer: number
}

async function measureCosts(whole: AsyncDisposableStack, clip: string): Promise<Costs[]> {
  const stack = whole.use(new AsyncDisposableStack())
  const relay = await startRelay(stack, clip)
  const least = await startLeast(stack, clip)
  const { hub, addViewers } = await openRig(stack, 1, clip)
  await wait(secondsToSettle * 1000)
  const all: Omit<Costs, 'firstViewer' | 'furtherViewer'>[] = []
  for (let run = 0; run < runs; run++) {
    // At the same time, so that all meet the same disturbance.
    const [channel, copying, required] = await Promise.all(
      [hub.pid, relay, least.pid].map((pid) => percentOfFamily(pid)),
    )
    all.push({ channel: channel ?? 0, relay: copying ?? 0, least: required ?? 0 })
  }
  await requireStills(least)
  const channel = median(all.map((one) => one.channel))
  const withViewers = async (added: number) => {
    await addViewers(added)
    await wait(secondsToSettle * 1000)
    const percents: number[] = []
    for (let run = 0; run < runs; run++) percents.push(await percentOfFamily(hub.pid))
    return median(percents)
  }
  const one = await withViewers(1)
  const more = await withViewers(moreViewers)
  await stack.disposeAsync()
  const ofViewers = { firstViewer: one - channel, furtherViewer: (more - one) / moreViewers }
  return all.map((costs) => ({ ...costs, ...ofViewers }))
}

/** A floor that leaves out the work would be none. */
async function requireStills(least: LoadProgram): Promise<void> {
  const counts = await least.request<{ packets: number; stillBytes: number; levelBytes: number }>({})
  if (counts.packets === 0 || counts.stillBytes === 0 || counts.levelBytes === 0)
    throw new Error(`the least channel did not do its work: ${JSON.stringify(counts)}`)
}

interface Step {
  channels: number
  errors: number
  isHeld: boolean
  hubPercent: number
  /** The share of units and viewers. */
  othersPercent: number
  /** The channel with the least, over the whole step. */
  slowestKbps: number
  slowestViewer: number
}

const meanKbps = (looks: readonly Channel[][], at: number): number =>
  looks.reduce((sum, all) => sum + (all[at]?.kbps ?? 0), 0) / looks.length

async function measureStep(
  whole: AsyncDisposableStack,
  count: number,
  clip: string,
  seconds: number,
): Promise<Step> {
  const stack = whole.use(new AsyncDisposableStack())
  const { hub, othersMs, channels, addViewers, viewerPackets } = await openRig(stack, count, clip)
  await addViewers(count)
  await wait(secondsToSettle * 1000)
  const errorsOf = (all: readonly Channel[]) => all.reduce((sum, one) => sum + one.continuityErrors, 0)
  const errorsBefore = errorsOf(await channels())
  const packetsBefore = await viewerPackets()
  const [cpuBefore, othersBefore, startedAt] = [familyCpuMs(hub.pid), othersMs(), performance.now()]
  const looks: Channel[][] = []
  while (performance.now() - startedAt < seconds * 1000) {
    await wait(secondsBetweenLooks * 1000)
    looks.push(await channels())
  }
  const slowestKbps = Math.min(...Array.from({ length: count }, (_, at) => meanKbps(looks, at)))
  const watched = (performance.now() - startedAt) / 1000
  const after = await channels()
  const packets = await viewerPackets()
  const errors = errorsOf(after) - errorsBefore
  const step = {
    channels: count,
    errors,
    isHeld: errors === 0 && slowestKbps > streamKbps * 0.8,
    hubPercent: (familyCpuMs(hub.pid) - cpuBefore) / 10 / watched,
    othersPercent: (othersMs() - othersBefore) / 10 / watched,
    slowestKbps,
    slowestViewer: Math.min(...packets.map((count, at) => count - (packetsBefore[at] ?? 0))) / watched,
  }
  await stack.disposeAsync()
  return step
}

/** The file of a clip, which is removed at the end. */
function makeClip(stack: AsyncDisposableStack): string {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-hub-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const clip = join(folder, 'clip.ts')
  recordClip(clip)
  return clip
}

export const benchHub: Bench = async (stack): Promise<BenchResult> => {
  const clip = makeClip(stack)
  const costs = await measureCosts(stack, clip)
  const load = { clip, count: moreViewers, percentOf }
  const janus = await measureJanus(stack, load)
  const leastViewer = await measureLeastViewer(stack, load)
  const climb: Step[] = []
  for (const count of steps) {
    const step = await measureStep(stack, count, clip, secondsOfAStep)
    climb.push(step)
    if (!step.isHeld) break
  }
  return resultOf({ costs, climb, janus, leastViewer })
}

const asCost = (who: string, percents: readonly number[], of: string): Row => ({
  who,
  '% of one core': rounded(median(percents), 2),
  of,
})

type Janus = Awaited<ReturnType<typeof measureJanus>>

interface Measured {
  costs: readonly Costs[]
  climb: readonly Step[]
  janus: Janus
  /** Percent of one core that a further viewer takes at least. */
  leastViewer: number
}

const tableOfCosts = ({ costs, janus, leastViewer }: Measured): Row[] => [
  asCost(
    'Backhaul hub, one channel',
    costs.map((one) => one.channel),
    'receiving, decrypting, stills, levels, health',
  ),
  asCost(
    '… first viewer',
    costs.map((one) => one.firstViewer),
    'WebRTC, with its child for Opus',
  ),
  asCost(
    '… each further viewer',
    costs.map((one) => one.furtherViewer),
    'WebRTC',
  ),
  asCost(
    'ffmpeg -c copy, one channel',
    costs.map((one) => one.relay),
    'SRT in, UDP out, nothing else',
  ),
  asCost(
    'the required work alone, one channel',
    costs.map((one) => one.least),
    'opening, sorting, continuity, a still and sound levels',
  ),
  asCost('the required work alone, each further viewer', [leastViewer], 'sealing and sending RTP'),
  ...('viewer' in janus ? [asCost('Janus, each further viewer', [janus.viewer], 'WebRTC, from RTP')] : []),
]

const tableOfClimb = (climb: readonly Step[]): Row[] =>
  climb.map((step) => ({
    who: `${step.channels} channels`,
    held: step.isHeld ? 'yes' : 'no',
    'continuity errors': step.errors,
    'hub % of one core': rounded(step.hubPercent),
    'units and viewers % of one core': rounded(step.othersPercent),
    'slowest channel kbit/s': rounded(step.slowestKbps),
    'slowest viewer packets a second': rounded(step.slowestViewer),
  }))

const whyFloor =
  'a bare Node process that opens the datagrams of three links with OpenSSL, sorts them, checks continuity and feeds an ' +
  'ffmpeg that decodes one key frame every 1.5 s and measures sound; it has no output.'

const whyViewerFloor =
  'a bare Node process that seals each packet of RTP with OpenSSL and sends it to the viewer, without negotiation, repetition and reports.'

const whyFullFloor =
  'the channels that fill the processors when each costs the hub only the required work and that of a viewer, next to ' +
  'the share of the processors that units and viewers used in the first step.'

function mostChannels({ costs, climb: [first], leastViewer }: Measured): number {
  const others = first ? first.othersPercent / first.channels : 0
  const least = median(costs.map((one) => one.least)) + leastViewer
  return Math.min(goals.channels, Math.floor((cpus().length * 100) / (others + least)))
}

function ratiosOf(measured: Measured): BenchResult['ratios'] {
  const { costs, climb, janus, leastViewer } = measured
  const held = climb.findLast(({ isHeld }) => isHeld)?.channels ?? 0
  const viewer = median(costs.map((one) => one.furtherViewer))
  return [
    {
      id: 'hub-channel',
      what: 'CPU of a channel in the hub relative to ffmpeg -c copy',
      ratio: median(costs.map((one) => one.channel / one.relay)),
      lowerIsBetter: true,
      goal: goals.channel,
      floor: { value: median(costs.map((one) => one.least / one.relay)), why: whyFloor },
    },
    {
      id: 'hub-viewer',
      what: `CPU of a further viewer, of ${goals.viewerPercent} % of a core`,
      ratio: viewer / goals.viewerPercent,
      lowerIsBetter: true,
      goal: 1,
      floor: { value: leastViewer / goals.viewerPercent, why: whyViewerFloor },
    },
    ...('viewer' in janus
      ? [
          {
            what: 'CPU of a further viewer, relative to Janus',
            ratio: viewer / janus.viewer,
            lowerIsBetter: true,
          },
        ]
      : []),
    {
      id: 'hub-full',
      what: `channels held with a viewer each, of ${goals.channels}`,
      ratio: held / goals.channels,
      lowerIsBetter: false,
      goal: 1,
      floor: { value: mostChannels(measured) / goals.channels, why: whyFullFloor },
    },
  ]
}

const setting =
  `Units play a clip (1280×720, 30 pictures a second, ${streamKbps / 1000} Mbit/s, AAC) without end over three loopback links each, ` +
  'bonded and encrypted, to a hub in a process of its own'

function resultOf(measured: Measured): BenchResult {
  const { climb, janus } = measured
  return {
    name: 'hub',
    title: '(l) Hub',
    setting:
      `${setting}; ${runs} runs of ${secondsOfCost} s, ${secondsToSettle} s after the start and after each change of viewers, medians; ` +
      `viewers are WebRTC clients without a decoder.`,
    tables: [
      { caption: 'Cost of the hub with its children', rows: tableOfCosts(measured) },
      { caption: 'Channels held, each with a viewer', rows: tableOfClimb(climb) },
    ],
    ratios: ratiosOf(measured),
    remarks: [
      'ffmpeg copies one stream from SRT to UDP in C; the hub also repairs and decrypts three links, checks continuity, decodes key frames for stills and measures sound and picture health.',
      `Units and viewers share the ${cpus().length} cores with the hub; a step is watched for ${secondsOfAStep} s, ${secondsToSettle} s after its start.`,
      ...('viewer' in janus
        ? [
            'Janus is C, and gets the pictures as RTP from an ffmpeg that is not counted; viewers of the hub are counted from the bus of the channel on.',
          ]
        : [`No peer for the viewers in this run: ${janus.missing}.`]),
    ],
  }
}

export const benchHubFull: Bench = async (stack): Promise<BenchResult> => {
  const step = await measureStep(stack, goals.channels, makeClip(stack), minutesOfFull * 60)
  return {
    name: 'hub-full',
    title: '(m) A full hub',
    setting: `${setting}, with a WebRTC client without a decoder at each channel, for ${minutesOfFull} minutes.`,
    tables: [{ caption: 'Channels held, each with a viewer', rows: tableOfClimb([step]) }],
    ratios: [
      {
        id: 'hub-full-half-hour',
        what: `channels held with a viewer each for ${minutesOfFull} minutes, of ${goals.channels}`,
        ratio: step.isHeld ? 1 : 0,
        lowerIsBetter: false,
        goal: 1,
      },
    ],
    remarks: [`Units and viewers share the ${cpus().length} cores with the hub.`],
  }
}
