// The options that administrators set on a channel, as arguments of ffmpeg.
import { type FfmpegOption, type FfmpegSettings, optionsOf } from '@backhaul/contract/nouns/ffmpeg-settings'

/** Written differently, or only together with another. */
const own: readonly FfmpegOption[] = ['preset', 'tune', 's', 'maxrate', 'bufsize']

/** Undefined where the picture is not encoded for them. Each option is an argument of its own: no shell reads them. */
export function chosenPicture(
  settings: FfmpegSettings,
  usualKbps: number,
): { filters: string[]; codecs: string[] } | undefined {
  const options = optionsOf(settings, 'picture')
  if (options.length === 0) return undefined
  const { preset = 'veryfast', tune = 'zerolatency', s: size, ...rest } = Object.fromEntries(options)
  const hasRate = rest['b:v'] !== undefined || rest.crf !== undefined
  const rate = rest['b:v'] ?? `${usualKbps}k`
  const most = rest.maxrate ?? (rest.crf === undefined ? rate : undefined)
  const buffer = rest.bufsize ?? most
  return {
    filters: size === undefined ? [] : [`scale=${size.replace('x', ':')}`],
    codecs: [
      '-c:v',
      'libx264',
      '-preset',
      preset,
      '-tune',
      tune,
      '-pix_fmt',
      'yuv420p',
      ...(rest.g === undefined ? ['-g', '50'] : []),
      ...(hasRate ? [] : ['-b:v', rate]),
      ...(most === undefined ? [] : ['-maxrate', most]),
      ...(buffer === undefined ? [] : ['-bufsize', buffer]),
      ...options.filter(([name]) => !own.includes(name)).flatMap(([name, value]) => [`-${name}`, value]),
    ],
  }
}

/** Undefined where the sound is not encoded for them. */
export function chosenSound(settings: FfmpegSettings): string[] | undefined {
  const options = optionsOf(settings, 'sound')
  return options.length === 0
    ? undefined
    : ['-c:a', 'aac', ...options.flatMap(([name, value]) => [`-${name}`, value])]
}
