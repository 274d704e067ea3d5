// The state that the unit's own page shows, in the language of its reader.
import type { UnitActual, UnitSample } from '@backhaul/contract/gateway/units'
import type { ActualIntercom, IntercomNumber } from '@backhaul/contract/nouns/intercom'
import type { CrewLine } from '../intercom/intercom.ts'
import { type Language, type PageTexts, pageTexts, withValues } from './page-texts.ts'

export interface PageFacts {
  isConnected: boolean
  /** When that began, in milliseconds since 1970. */
  connectionSinceMs: number
  actual: UnitActual
  sample: UnitSample | undefined
  onAir: boolean
  /** The number of the newest still of each camera; null for one without a picture. */
  stills: readonly (number | null)[]
  /** The lines of the intercom, each with the time at which its state began. */
  lines: readonly (CrewLine & { sinceMs: number })[]
}

interface Line {
  text: string
  /** Green, or else amber. */
  isGood: boolean
  sinceMs?: number | undefined
}

interface ShownLine {
  intercom: IntercomNumber
  name: string
  connection: Line
  /** Where it leads, and by which headsets. */
  detail: string
  /** Why it is not connected, or has no sound in one direction, in the unit's own words. */
  failure: string
  microphone: Line
  /** null without a microphone, which cannot be muted. */
  isMuted: boolean | null
  /** The microphone can be opened by holding a button. */
  canTalk: boolean
}

/** Sent to browsers as JSON. */
export interface PageState {
  onAir: boolean
  core: Line
  live: Line
  /** Why the unit is not live although it should be, in the unit's own words. */
  failure: string
  cameras: { name: string; still: number | null; text: string }[]
  /** Why there are no lines; '' where there are some. */
  noLines: string
  lines: ShownLine[]
  links: (Line & { name: string })[]
  videoReturn: Line
}

const videoActivities = ['video', 'multiCamera', 'switcher', 'switcherAndProxy'] as const

export function pageStateOf(facts: PageFacts, language: Language): PageState {
  const words = pageTexts[language]
  const { isConnected, actual, onAir } = facts
  return {
    onAir,
    core: {
      text: isConnected ? words.connected : words.disconnected,
      isGood: isConnected,
      sinceMs: facts.connectionSinceMs,
    },
    live: liveLine(actual, words),
    failure: actual.failure ?? '',
    cameras: facts.stills.map((still, at) => ({
      name: withValues(words.camera, { number: at + 1 }),
      still,
      text: still === null ? words.noPicture : '',
    })),
    noLines: facts.lines.length === 0 ? words.noHeadset : '',
    lines: facts.lines.map((line) => shownLine(line, sessionOn(actual, line.intercom), words)),
    links: linkLines(facts, words, language),
    videoReturn: returnLine(actual, words, language),
  }
}

function liveLine({ state, applications }: UnitActual, words: PageTexts): Line {
  const activity = videoActivities.map((one) => applications?.[one]).find((one) => one !== undefined)
  const known = Object.keys(words.live).find((one) => one === state) as keyof PageTexts['live'] | undefined
  return {
    text: known ? words.live[known] : state,
    isGood: state === 'streaming',
    sinceMs: activity?.since,
  }
}

/** The session on a line of the intercom. */
export const sessionOn = ({ intercoms }: UnitActual, intercom: IntercomNumber): ActualIntercom | undefined =>
  intercoms?.find((one) => one.intercom === intercom)

function shownLine(
  line: PageFacts['lines'][number],
  session: ActualIntercom | undefined,
  words: PageTexts,
): ShownLine {
  const { intercom, headsets, isMuted, sinceMs } = line
  const isConnected = session?.state === 'connected'
  const hasMicrophone = headsets.some((headset) => headset.hasMicrophone)
  const names = headsets.map(({ jack, hasMicrophone: can }) =>
    withValues(can ? words.headset : words.headsetWithoutMicrophone, { number: jack }),
  )
  const parts = [...placeOf(line, words), ...(names.length > 0 ? names : [words.noHeadsetOnLine])]
  return {
    intercom,
    name: withValues(words.line, { number: intercom }),
    connection: { text: words.lineState[session?.state ?? 'idle'], isGood: isConnected, sinceMs },
    detail: parts.join(' · '),
    failure: session?.failure ?? '',
    microphone: hasMicrophone ? microphoneLine(line, words) : { text: words.microphone.none, isGood: false },
    isMuted: hasMicrophone ? isMuted : null,
    canTalk: hasMicrophone && isMuted && isConnected,
  }
}

/** The end of the line: each way ends in an audio room. */
function placeOf({ mode, roomName }: CrewLine, { modes, room }: PageTexts): string[] {
  if (mode === undefined) return []
  if (roomName === undefined) return [modes[mode]]
  const named = withValues(room, { name: roomName })
  return mode === 'audioRoom' ? [named] : [modes[mode], named]
}

function microphoneLine({ isOpen, isMuted }: CrewLine, { microphone }: PageTexts): Line {
  if (isOpen) return { text: microphone.open, isGood: true }
  return { text: isMuted ? microphone.muted : microphone.waiting, isGood: false }
}

function linkLines({ actual, sample }: PageFacts, words: PageTexts, language: Language): PageState['links'] {
  return actual.links.map(({ port, id, enabled }) => {
    const figures = sample?.links.find((one) => one.port === port)
    const isUp = enabled && figures?.up === true
    if (!enabled) return { name: id, text: words.linkOff, isGood: false }
    if (!isUp) return { name: id, text: words.linkDown, isGood: false }
    const rtt = figures.rttMs === null ? '' : ` · ${Math.round(figures.rttMs)} ms`
    return { name: id, text: `${rateOf(figures.kbps, language)}${rtt}`, isGood: true }
  })
}

function returnLine(
  { applications, receivedReturn, returnFailure }: UnitActual,
  words: PageTexts,
  language: Language,
): Line {
  const activity = applications?.videoReturn
  if (!activity) return { text: words.noReturn, isGood: false }
  const { since: sinceMs } = activity
  if (activity.state !== 'collecting' || !receivedReturn)
    return { text: returnFailure ?? words.returnConnecting, isGood: false, sinceMs }
  const { video, kbps, problem } = receivedReturn
  const parts = [
    video ? `${video.width}×${video.height}` : words.noPicture,
    rateOf(kbps, language),
    ...(problem ? [words.returnProblem] : []),
  ]
  return { text: parts.join(' · '), isGood: video !== null, sinceMs }
}

function rateOf(kbps: number, language: Language): string {
  const options = { minimumFractionDigits: 1, maximumFractionDigits: 1 }
  return `${new Intl.NumberFormat(language, options).format(kbps / 1000)} Mbps`
}
