// The sound device of a headset: a device of ALSA, of PulseAudio or PipeWire, or a command of the owner.
import { SAMPLE_RATE } from '@backhaul/speech/frames'

/** Below this, sound servers run out of samples and make up for it with a permanent delay. */
const LATENCY_MS = 60

export type SoundSetting =
  | { readonly kind: 'pulse' | 'alsa'; readonly device: string | undefined }
  | { readonly kind: 'command'; readonly command: string }

/** As an owner writes it: `pulse` or `alsa`, each with `:` and the name of a device or without, or a command line. */
export function readSound(text: string): SoundSetting {
  const [, kind, device] = /^(pulse|alsa)(?::(.+))?$/.exec(text) ?? []
  return kind === 'pulse' || kind === 'alsa' ? { kind, device } : { kind: 'command', command: text }
}

export interface SoundProgram {
  readonly command: string
  readonly args: readonly string[]
  /** The programs that it starts end with it. */
  readonly isShell?: true
}

/** Writes raw sound to its standard output: 48 kHz, mono, 16 bit. */
export const microphoneProgram = (setting: SoundSetting): SoundProgram =>
  programOf(setting, { pulse: ['pacat', '--record'], alsa: 'arecord' })

/** Plays the same from its standard input. */
export const speakerProgram = (setting: SoundSetting): SoundProgram =>
  programOf(setting, { pulse: ['pacat', '--playback'], alsa: 'aplay' })

interface Programs {
  pulse: readonly [string, string]
  alsa: string
}

function programOf(setting: SoundSetting, { pulse: [pacat, direction], alsa }: Programs): SoundProgram {
  if (setting.kind === 'command') return { command: '/bin/sh', args: ['-c', setting.command], isShell: true }
  const { device } = setting
  if (setting.kind === 'pulse') {
    const named = device === undefined ? [] : [`--device=${device}`]
    const format = ['--raw', '--format=s16le', `--rate=${SAMPLE_RATE}`, '--channels=1']
    return { command: pacat, args: [direction, ...format, `--latency-msec=${LATENCY_MS}`, ...named] }
  }
  const named = device === undefined ? [] : ['-D', device]
  const format = ['-q', '-t', 'raw', '-f', 'S16_LE', '-r', String(SAMPLE_RATE), '-c', '1']
  return { command: alsa, args: [...format, `--buffer-time=${LATENCY_MS * 1000}`, ...named] }
}
