/** The machine of the figures. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, loadavg, release, totalmem } from 'node:os'
import { chromiumPath } from '../tests/stage/browser.ts'
import { rounded } from './figures.ts'

export interface Machine {
  cores: number
  processor: string
  memoryGb: number
  kernel: string
  /** Runnable processes before the run, over the last minute; more than the cores means that other programs were running. */
  loadBefore: number
  versions: Record<string, string>
}

const require = createRequire(import.meta.url)

export function describeMachine(): Machine {
  const all = cpus()
  return {
    cores: all.length,
    processor: all[0]?.model.trim() || 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    loadBefore: rounded(loadavg()[0] ?? 0),
    versions: {
      node: process.versions.node,
      ...versionOfProgram('mosquitto', ['-h'], /version (\S+)/),
      ...versionOfProgram('nats-server', ['--version'], /v?(\d[\d.]+)/),
      ...versionOfProgram('ffmpeg', ['-version'], /version (\S+)/),
      ...versionOfProgram('janus', ['--version'], /(\d+\.\d+\.\d+)/),
      ...versionOfProgram('ristsender', ['--help'], /librist library: (\S+)/i),
      ...(existsSync(chromiumPath) &&
        versionOfProgram(chromiumPath, ['--version'], /Chromium (\S+)/, 'chromium')),
      ...Object.fromEntries(
        ['socket.io', '@tanstack/react-table', 'react', 'ag-grid-community'].map((name) => [
          name,
          versionOf(name),
        ]),
      ),
    },
  }
}

function versionOfProgram(
  program: string,
  args: string[],
  pattern: RegExp,
  name = program,
): Record<string, string> {
  const { stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  const found = pattern.exec(`${stdout}${stderr}`)?.[1]
  return error || !found ? {} : { [name]: found }
}

function versionOf(name: string): string {
  const folder = require.resolve.paths(name)?.find((path) => existsSync(`${path}/${name}/package.json`))
  const text = folder ? readFileSync(`${folder}/${name}/package.json`, 'utf8') : '{"version":"not installed"}'
  return (JSON.parse(text) as { version: string }).version
}
