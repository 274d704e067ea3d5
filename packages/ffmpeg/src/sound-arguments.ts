// Arguments of ffmpeg for 2 to 16 channels of sound: all in one raw stream while captured, a track for each pair when coded.
import { type SoundTracks, type Source, soundChannelsOf, tracksOf } from './sources.ts'

/** Bytes of one 16-bit sample of all channels. */
export const sampleBytesOf = (channels: number): number => 2 * channels

/** The size of one second of raw sound. */
export const soundBytesOf = (channels: number): number => 48_000 * sampleBytesOf(channels)

/** The format of raw sound, and of each track that is coded. */
export const soundFormat = (channels = 2): string[] => ['-ar', '48000', '-ac', String(channels)]

/** The sound of a source to descriptor 3. Two channels are what ffmpeg mixes the first track down to. */
export function capturedSound(source: Source, input: number, channels: number): string[] {
  const output = ['-f', 's16le', '-flush_packets', '1', 'pipe:3']
  // The channels of an interface have nothing to do with each other: the first two are taken, and not a mix of all.
  const isInterface = source.kind === 'camera' && source.microphoneChannels !== undefined
  if (channels === 2 && !isInterface) return ['-map', `${input}:a:0?`, ...soundFormat(), ...output]
  return ['-filter_complex', discreteSound(source, input, channels), '-map', '[sound]', ...output]
}

/** The channels of a source, of which there are more than two, as a stream for each pair, for a program that codes what it reads. */
export function pairedSound(source: Source, input: number, channels: number): string[] {
  const pairs = Array.from({ length: channels / 2 }, (_, pair) => pair)
  const copies = `[sound]asplit=${pairs.length}${pairs.map((pair) => `[copy${pair}]`).join('')}`
  const taken = pairs.map(
    (pair) => `[copy${pair}]pan=stereo|c0=c${2 * pair}|c1=c${2 * pair + 1}[pair${pair}]`,
  )
  const graph = [discreteSound(source, input, channels), copies, ...taken].join(';')
  return ['-filter_complex', graph, ...pairs.flatMap((pair) => ['-map', `[pair${pair}]`])]
}

/**
 * Tracks of an input, of two channels each, as one stream under this name: brought together by their stamps, since each may
 * begin at another moment.
 */
export function joinedTracks(tracks: readonly number[], name: string): string {
  const each = tracks.map(
    (track) =>
      `[0:a:${track}]aresample=48000:async=1:first_pts=0,aformat=channel_layouts=stereo[track${track}]`,
  )
  const all = tracks.map((track) => `[track${track}]`).join('')
  return [...each, `${all}amerge=inputs=${tracks.length}[${name}]`].join(';')
}

/**
 * The channels of all tracks one after the other: of these the first are taken, and what the source has not is silent. Several
 * tracks are brought together by their stamps, since each may begin at another moment.
 */
function discreteSound(source: Source, input: number, channels: number): string {
  const tracks = takenTracks(source, channels)
  const isJoined = tracks.length > 1
  const rate = `aresample=48000${isJoined ? ':async=1:first_pts=0' : ''}`
  const each = tracks.map((own, track) => `[${input}:a:${track}]${rate},${inOrder(own)}[track${track}]`)
  const places = tracks.flatMap((own, track) => {
    const before = tracks.slice(0, track).reduce((sum, other) => sum + widthOf(other), 0)
    return Array.from({ length: own }, (_, at) => before + at)
  })
  const taken = places.slice(0, channels).map((place, at) => `c${at}=c${place}`)
  const joined = `${tracks.map((_, track) => `[track${track}]`).join('')}${isJoined ? `amerge=inputs=${tracks.length},` : ''}`
  return [...each, `${joined}pan=${channels}c|${taken.join('|')}[sound]`].join(';')
}

/** The channels of each track that holds some of the first channels of the source. */
function takenTracks(source: Source, channels: number): SoundTracks {
  if (source.kind === 'testPattern') return [channels]
  if (source.kind === 'camera') return [source.microphoneChannels ?? 2]
  const tracks = tracksOf(source).length > 0 ? tracksOf(source) : [2]
  const before = tracks.map((_, track) => tracks.slice(0, track).reduce((sum, own) => sum + own, 0))
  return tracks.filter((_, track) => before[track]! < channels)
}

/** The width of a layout that ffmpeg has a name for. Each has a left and a right channel, without which amerge sorts all. */
const widthOf = (channels: number): number => (channels > 8 ? 16 : Math.max(2, channels))

/** By their numbers: by the names of channels ffmpeg would sort and mix them. */
function inOrder(channels: number): string {
  // Two is also assumed before a source was probed: any layout is converted.
  if (channels === 2) return 'aformat=channel_layouts=stereo'
  const own = Array.from({ length: Math.min(channels, 16) }, (_, at) => `c${at}=c${at}`)
  return `pan=${widthOf(channels)}c|${own.join('|')}`
}

/** From the raw sound of an encoder's input 1 to a track for each pair of its channels. */
export function soundTracks(channels = 2, filter?: string): string[] {
  if (channels === 2) return ['-map', '1:a', ...(filter === undefined ? [] : ['-af', filter])]
  return Array.from({ length: channels / 2 }, (_, pair) => {
    const taken = `pan=stereo|c0=c${2 * pair}|c1=c${2 * pair + 1}`
    return ['-map', '1:a', `-filter:a:${pair}`, filter === undefined ? taken : `${taken},${filter}`]
  }).flat()
}

/** Whether the source has fewer tracks than captureArguments was given, by a message of ffmpeg. */
export const saysTrackMissing = (line: string): boolean => /'[^']*\ba:\d+'.* matches no streams/.test(line)

/** The least of these numbers of channels that holds all that the source gives, or the most of them. */
export function fittingChannels<Count extends number>(
  source: Source,
  counts: readonly [Count, ...Count[]],
): Count {
  const given = soundChannelsOf(source)
  return counts.find((count) => count >= given) ?? counts.at(-1) ?? counts[0]
}
