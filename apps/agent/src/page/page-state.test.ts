import type { UnitActual } from '@backhaul/contract/gateway/units'
import { expect, test } from 'vitest'
import { type PageFacts, pageStateOf } from './page-state.ts'

const actual: UnitActual = {
  state: 'idle',
  applications: {},
  channelId: null,
  transmissionId: null,
  delayMs: 1000,
  workingMode: 'video',
  speedTest: null,
  links: ['Modem 1', 'Modem 2', 'Ethernet'].map((id, port) => ({
    port,
    id,
    kind: 'modem',
    enabled: port < 2,
  })),
  storages: [],
  camera: null,
  capabilities: {},
  appliedRevision: 0,
}
const figures = { downKbps: 0, lossPercent: 0, rtxPercent: 0, capacityKbps: null }
const facts: PageFacts = {
  isConnected: true,
  connectionSinceMs: 5000,
  actual,
  sample: {
    ts: 1,
    encoderKbps: null,
    capacityKbps: null,
    links: [
      { port: 0, up: true, kbps: 3249, rttMs: 41.6, ...figures },
      { port: 1, up: false, kbps: 0, rttMs: null, ...figures },
      { port: 2, up: true, kbps: 900, rttMs: 3, ...figures },
    ],
  },
  onAir: false,
  stills: [17, null],
  lines: [],
}

test('links show their rate, that they are down, or that they are off', () => {
  expect(pageStateOf(facts, 'en').links).toEqual([
    { name: 'Modem 1', text: '3.2 Mbps · 42 ms', isGood: true },
    { name: 'Modem 2', text: 'Down', isGood: false },
    { name: 'Ethernet', text: 'Off', isGood: false },
  ])
  expect(pageStateOf(facts, 'es').links[0]?.text).toBe('3,2 Mbps · 42 ms')
  expect(pageStateOf({ ...facts, sample: undefined }, 'en').links[0]?.text).toBe('Down')
})

test('the state of the transmission is shown with its beginning, and a failure with its reason', () => {
  const live = (state: string, more: Partial<UnitActual> = {}) => {
    const { live: line, failure } = pageStateOf({ ...facts, actual: { ...actual, state, ...more } }, 'en')
    return { ...line, failure }
  }
  expect(live('idle')).toEqual({ text: 'Not live', isGood: false, sinceMs: undefined, failure: '' })
  for (const activity of ['video', 'multiCamera', 'switcher', 'switcherAndProxy'] as const)
    expect(
      live('streaming', { applications: { [activity]: { state: 'streaming', since: 77 } } }),
    ).toMatchObject({
      text: 'Live',
      isGood: true,
      sinceMs: 77,
    })
  expect(live('connecting', { failure: 'No answer from 10.0.0.1:20000.' })).toMatchObject({
    text: 'Connecting',
    isGood: false,
    failure: 'No answer from 10.0.0.1:20000.',
  })
  expect(live('speedtest').text).toBe('Speed test')
})

test('cameras, core and tally are shown as they are', () => {
  const state = pageStateOf({ ...facts, onAir: true, isConnected: false }, 'es')
  expect(state).toMatchObject({
    onAir: true,
    core: { text: 'Sin conexión', isGood: false, sinceMs: 5000 },
    cameras: [
      { name: 'Cámara 1', still: 17, text: '' },
      { name: 'Cámara 2', still: null, text: 'Sin imagen' },
    ],
  })
})

test('the video return shows what comes of it', () => {
  const shown = (more: Partial<UnitActual>) => {
    const { text, isGood } = pageStateOf({ ...facts, actual: { ...actual, ...more } }, 'en').videoReturn
    return [text, isGood]
  }
  const collecting = { videoReturn: { state: 'collecting', since: 9 } }
  const video = { codec: 'h264', width: 1280, height: 720, fps: 30 }
  const received = { kbps: 2100, delayMs: 500, links: 2, video, problem: null }
  expect(shown({})).toEqual(['None', false])
  expect(shown({ applications: { videoReturn: { state: 'connecting' } } })).toEqual(['Connecting', false])
  expect(
    shown({
      applications: { videoReturn: { state: 'connecting' } },
      returnFailure: 'The unit has no usable link.',
    }),
  ).toEqual(['The unit has no usable link.', false])
  expect(shown({ applications: collecting, receivedReturn: received })).toEqual(['1280×720 · 2.1 Mbps', true])
  const problem = { code: 'returnDisplay.noDesktop', params: {} }
  expect(shown({ applications: collecting, receivedReturn: { ...received, video: null, problem } })).toEqual([
    'No picture · 2.1 Mbps · On no display',
    false,
  ])
})

const headset = { jack: 1, hasMicrophone: true }
const speaker = { jack: 2, hasMicrophone: false }
const crewLine: PageFacts['lines'][number] = {
  intercom: 1,
  mode: undefined,
  roomName: undefined,
  headsets: [headset],
  isMuted: false,
  isOpen: false,
  sinceMs: 8000,
}

/** One line of the intercom, in a session or without one. */
function lineShown(
  more: Partial<typeof crewLine>,
  session?: { state: 'connecting' | 'connected'; failure?: string },
) {
  const intercoms = session ? [{ intercom: 1 as const, sessionId: 'session', ...session }] : []
  const shown = { ...facts, lines: [{ ...crewLine, ...more }], actual: { ...actual, intercoms } }
  const [line] = pageStateOf(shown, 'en').lines
  return line
}

test('a line of the intercom shows whether it is connected, where it leads, by which headsets, and the microphone', () => {
  expect(lineShown({})).toEqual({
    intercom: 1,
    name: 'Line 1',
    connection: { text: 'Not connected', isGood: false, sinceMs: 8000 },
    detail: 'Headset 1',
    failure: '',
    microphone: { text: 'Microphone opens with the connection', isGood: false },
    isMuted: false,
    canTalk: false,
  })
  expect(lineShown({}, { state: 'connecting', failure: 'The unit has no usable link.' })).toMatchObject({
    connection: { text: 'Connecting', isGood: false, sinceMs: 8000 },
    failure: 'The unit has no usable link.',
  })
  const connected = { mode: 'audioRoom', isOpen: true, headsets: [headset, speaker] } as const
  expect(lineShown(connected, { state: 'connected' })).toMatchObject({
    connection: { text: 'Connected', isGood: true },
    detail: 'Audio room · Headset 1 · Headset 2 (no microphone)',
    microphone: { text: 'Microphone open', isGood: true },
    canTalk: false,
  })
  expect(lineShown({ ...connected, roomName: 'Gallery' }, { state: 'connected' })?.detail).toBe(
    'Audio room Gallery · Headset 1 · Headset 2 (no microphone)',
  )
  const muted = { ...connected, isMuted: true, isOpen: false }
  expect(lineShown(muted, { state: 'connected' })).toMatchObject({
    microphone: { text: 'Microphone muted', isGood: false },
    isMuted: true,
    canTalk: true,
  })
  expect(lineShown({ ...muted, isOpen: true }, { state: 'connected' })).toMatchObject({
    microphone: { text: 'Microphone open', isGood: true },
    isMuted: true,
    canTalk: true,
  })
  expect(lineShown({ isMuted: true })).toMatchObject({
    microphone: { text: 'Microphone muted', isGood: false },
    canTalk: false,
  })
})

test('a line without a microphone has nothing to mute, and a unit without a headset has no line', () => {
  expect(pageStateOf({ ...facts, lines: [crewLine] }, 'en').noLines).toBe('')
  expect(lineShown({ headsets: [speaker], mode: 'targetChannel' }, { state: 'connected' })).toMatchObject({
    detail: 'Selected channel · Headset 2 (no microphone)',
    microphone: { text: 'No microphone', isGood: false },
    isMuted: null,
    canTalk: false,
  })
  const atChannel = { mode: 'targetChannel', roomName: 'At MCR' } as const
  expect(lineShown(atChannel, { state: 'connected' })?.detail).toBe(
    'Selected channel · Audio room At MCR · Headset 1',
  )
  expect(lineShown({ headsets: [] })).toMatchObject({ detail: 'No headset on this line', isMuted: null })
  expect(pageStateOf(facts, 'es')).toMatchObject({ noLines: 'Sin auriculares en esta unidad', lines: [] })
})
