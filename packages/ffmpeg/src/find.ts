import { execFile } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The capabilities of this machine's ffmpeg, as reported to the operator. */
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

type Lists = Omit<FfmpegCapabilities, 'path' | 'version'>

interface Reading<List> {
  readonly args: readonly string[]
  readonly parse: (text: string) => List
  /** Some versions fail where they were built without it. */
  readonly mayFail?: true
}

/** ffmpeg prints one list, and ends. */
const readings: { readonly [Name in keyof Lists]: Reading<Lists[Name]> } = {
  protocolsIn: { args: ['-protocols'], parse: (text) => parseProtocols(text).protocolsIn },
  protocolsOut: { args: ['-protocols'], parse: (text) => parseProtocols(text).protocolsOut },
  encoders: { args: ['-encoders'], parse: namesBy(/^ [VAS][F.][S.][X.][B.][D.] (\S+)/) },
  muxers: { args: ['-muxers'], parse: namesBy(/^ +E (\S+)/) },
  filters: { args: ['-filters'], parse: namesBy(/^ [T.][S.][C.]? (\S+) +\S+->/) },
  tenBits: {
    args: ['-h', 'encoder=libx265'],
    parse: (text) => /\byuv420p10le\b/.test(text),
    mayFail: true,
  },
}

interface Output {
  stdout: string
  stderr: string
}
const outputs = new Map<string, Promise<Output>>()

/** The output of ffmpeg, read once in a process. */
async function outputOf(path: string, args: readonly string[]): Promise<Output> {
  const { mtimeMs, size } = statSync(path)
  const key = [path, mtimeMs, size, ...args].join(' ')
  const output = outputs.get(key) ?? run(path, args, { maxBuffer: 16 << 20 })
  outputs.set(key, output)
  return await output.catch((error) => {
    outputs.delete(key)
    throw error
  })
}

/** The named capabilities of ffmpeg, each of which costs a start of it; throws when the program cannot be started. */
export async function probeFfmpeg<Name extends keyof Lists>(
  path: string,
  names: readonly Name[],
): Promise<Pick<FfmpegCapabilities, 'path' | 'version' | Name>> {
  const read = await Promise.all(
    names.map(async (name) => {
      const { args, parse, mayFail } = readings[name]
      const output = outputOf(path, args)
      const { stdout, stderr } = await (mayFail ? output.catch(() => ({ stdout: '', stderr: '' })) : output)
      return { name, list: parse(stdout), banner: stderr }
    }),
  )
  const version = parseVersion(read.map(({ banner }) => banner).join('\n'))
  const lists = Object.fromEntries(read.map(({ name, list }) => [name, list]))
  return { path, version, ...lists } as Pick<FfmpegCapabilities, 'path' | 'version' | Name>
}

export function parseVersion(text: string): string {
  return /^ffmpeg version (\S+)/m.exec(text)?.[1] ?? 'unknown'
}

export function parseProtocols(text: string): { protocolsIn: string[]; protocolsOut: string[] } {
  const [before = '', output = ''] = text.split(/^Output:$/m)
  const words = (part: string) => part.split(/\s+/).filter((word) => word && !word.endsWith(':'))
  return { protocolsIn: words(before.split(/^Input:$/m)[1] ?? ''), protocolsOut: words(output) }
}

function namesBy(pattern: RegExp): (text: string) => string[] {
  return (text) => text.split('\n').flatMap((line) => pattern.exec(line)?.[1] ?? [])
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
