import { execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What this machine's ffmpeg can do, as reported to the operator. */
export interface FfmpegCapabilities {
  readonly path: string
  readonly version: string
  readonly protocolsIn: readonly string[]
  readonly protocolsOut: readonly string[]
  readonly encoders: readonly string[]
  /** Formats that it can write. */
  readonly muxers: readonly string[]
  readonly filters: readonly string[]
  /** H.265 with 10 bits can be encoded, in software. */
  readonly tenBits: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * The ffmpeg to use: what FFMPEG_PATH names (a path, or a program on PATH) when it is set, and then nothing else;
 * otherwise the first `ffmpeg` on PATH.
 */
export function findFfmpeg(env: Environment = process.env): string | undefined {
  const wanted = env.FFMPEG_PATH || 'ffmpeg'
  if (wanted.includes('/')) return isProgram(wanted) ? wanted : undefined
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean)
  return folders.map((folder) => join(folder, wanted)).find(isProgram)
}

const probes = new Map<string, Promise<FfmpegCapabilities>>()

/** The capabilities of ffmpeg, read once in a process; throws when the program cannot be started. */
export async function probeFfmpeg(path: string): Promise<FfmpegCapabilities> {
  const { mtimeMs, size } = statSync(path)
  const file = `${path} ${mtimeMs} ${size}`
  const probe = probes.get(file) ?? read(path)
  probes.set(file, probe)
  return await probe.catch((error) => {
    probes.delete(file)
    throw error
  })
}

async function read(path: string): Promise<FfmpegCapabilities> {
  const outputOf = (...what: string[]) => run(path, what, { maxBuffer: 16 << 20 })
  const listOf = async (...what: string[]) => (await outputOf('-hide_banner', ...what)).stdout
  const [{ stdout: protocols, stderr: banner }, encoders, muxers, filters, h265] = await Promise.all([
    outputOf('-protocols'),
    listOf('-encoders'),
    listOf('-muxers'),
    listOf('-filters'),
    // Some versions fail when they were built without it.
    listOf('-h', 'encoder=libx265').catch(() => ''),
  ])
  return {
    path,
    version: parseVersion(banner),
    ...parseProtocols(protocols),
    encoders: parseNames(encoders, /^ [VAS][F.][S.][X.][B.][D.] (\S+)/),
    muxers: parseNames(muxers, /^ +E (\S+)/),
    filters: parseNames(filters, /^ [T.][S.][C.]? (\S+) +\S+->/),
    tenBits: /\byuv420p10le\b/.test(h265),
  }
}

export function parseVersion(text: string): string {
  return /^ffmpeg version (\S+)/m.exec(text)?.[1] ?? 'unknown'
}

export function parseProtocols(text: string): { protocolsIn: string[]; protocolsOut: string[] } {
  const [before = '', output = ''] = text.split(/^Output:$/m)
  const words = (part: string) => part.split(/\s+/).filter((word) => word && !word.endsWith(':'))
  return { protocolsIn: words(before.split(/^Input:$/m)[1] ?? ''), protocolsOut: words(output) }
}

function parseNames(text: string, pattern: RegExp): string[] {
  return text.split('\n').flatMap((line) => pattern.exec(line)?.[1] ?? [])
}

const fontPaths = [
  '/usr/share/fonts/truetype/dejavu/DejaVuSansMono-Bold.ttf',
  '/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf',
  '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf',
  '/usr/share/fonts/truetype/liberation/LiberationMono-Bold.ttf',
  '/usr/share/fonts/truetype/freefont/FreeMonoBold.ttf',
  '/usr/share/fonts/TTF/DejaVuSansMono.ttf',
  '/usr/share/fonts/dejavu-sans-mono-fonts/DejaVuSansMono.ttf',
  '/System/Library/Fonts/Menlo.ttc',
]

/** A font for texts in the picture, when the machine has one of the usual ones. */
export function findFont(): string | undefined {
  return fontPaths.find((path) => {
    try {
      accessSync(path, constants.R_OK)
      return true
    } catch {
      return false
    }
  })
}
