/** Options of ffmpeg that administrators set on a channel, for what its server sends on (EN-CHAN-12, -13, GAP-CHAN-06). */
import { z } from 'zod'
import { rule } from '../define/refusals.ts'

interface Option {
  /** The part that the setting changes; that part is then encoded again. */
  readonly of: 'picture' | 'sound'
  is(value: string): boolean
  /** The values, in a form that needs no language. */
  readonly values: string
}

const oneOf = (...words: string[]) => ({
  is: (value: string) => words.includes(value),
  values: words.join(', '),
})
const whole = (least: number, most: number, unit = '') => ({
  is(value: string) {
    const [, figure] = new RegExp(`^(\\d{1,6})${unit}$`).exec(value) ?? []
    return figure !== undefined && Number(figure) >= least && Number(figure) <= most
  },
  values: `${least}${unit} – ${most}${unit}`,
})
const evenSize = {
  is(value: string) {
    const [, width, height] = /^(\d{2,4})x(\d{2,4})$/.exec(value) ?? []
    const sides = [Number(width), Number(height)]
    return width !== undefined && sides.every((side) => side % 2 === 0 && side >= 64 && side <= 3840)
  },
  values: '64x64 – 3840x3840',
}
const pictureRate = {
  is: (value: string) => /^\d{1,3}(\.\d{1,2})?$/.test(value) && Number(value) >= 1 && Number(value) <= 120,
  values: '1 – 120',
}

/**
 * Each option that may be set, as ffmpeg names it, and its values. None opens a file, an address, a filter or a program;
 * slower presets than these would take the processor of the other channels.
 */
export const ffmpegOptions = {
  preset: { of: 'picture', ...oneOf('ultrafast', 'superfast', 'veryfast', 'faster', 'fast', 'medium') },
  tune: {
    of: 'picture',
    ...oneOf('zerolatency', 'film', 'animation', 'grain', 'stillimage', 'fastdecode'),
  },
  'profile:v': { of: 'picture', ...oneOf('baseline', 'main', 'high') },
  'b:v': { of: 'picture', ...whole(100, 50_000, 'k') },
  maxrate: { of: 'picture', ...whole(100, 50_000, 'k') },
  bufsize: { of: 'picture', ...whole(100, 100_000, 'k') },
  crf: { of: 'picture', ...whole(0, 51) },
  g: { of: 'picture', ...whole(1, 600) },
  bf: { of: 'picture', ...whole(0, 4) },
  r: { of: 'picture', ...pictureRate },
  s: { of: 'picture', ...evenSize },
  'b:a': { of: 'sound', ...whole(32, 512, 'k') },
  ar: { of: 'sound', ...oneOf('32000', '44100', '48000') },
  ac: { of: 'sound', ...oneOf('1', '2') },
} as const satisfies Record<string, Option>
export type FfmpegOption = keyof typeof ffmpegOptions

const options: Readonly<Record<string, Option>> = ffmpegOptions
const isOption = (name: string): name is FfmpegOption => Object.hasOwn(options, name)

/** The broken rule of an option; undefined when it may be set so. */
function faultOf(option: string, value: string): string | undefined {
  if (!isOption(option)) return rule('ffmpeg.option', { option })
  const { values } = ffmpegOptions[option]
  return options[option]?.is(value) ? undefined : rule('ffmpeg.value', { option, values })
}

/** The most faults that one answer names. */
const FAULTS_AT_MOST = 20

/** Stored as given. */
export const FfmpegSettings = z
  .record(z.string().max(64), z.string().max(64))
  .superRefine((settings, context) => {
    const faults = Object.entries(settings).flatMap(([option, value]) => {
      const message = faultOf(option, value)
      return message === undefined ? [] : [{ option, message }]
    })
    for (const { option, message } of faults.slice(0, FAULTS_AT_MOST))
      context.addIssue({ code: 'custom', path: [option], message })
  })
export type FfmpegSettings = z.infer<typeof FfmpegSettings>

/** The options of a part that may be set; other options of an older or newer core are left out. */
export const optionsOf = (settings: FfmpegSettings, part: Option['of']): [FfmpegOption, string][] =>
  Object.entries(settings).flatMap(([option, value]) =>
    isOption(option) && options[option]?.of === part && options[option].is(value)
      ? [[option, value] as [FfmpegOption, string]]
      : [],
  )

export const ChannelFfmpeg = z.strictObject({
  ffmpegSettings: FfmpegSettings.describe('By the name that ffmpeg has for the option'),
  ffmpegOverride: z
    .boolean()
    .describe(
      'The server encodes with them in place of its own and those of a destination; else they are only kept',
    ),
})
export type ChannelFfmpeg = z.infer<typeof ChannelFfmpeg>
