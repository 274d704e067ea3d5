/** Agent or hub as its service runs it: supervised, so that it can restart and be upgraded. */
import { join } from 'node:path'
import { superviseChild } from '@backhaul/runtime/child-process'
import { repository } from '../../scripts/places.ts'
import { mainOfStage } from '../stage/programs.ts'

export interface SupervisedProgram {
  stop(): Promise<void>
  /** Its newest log lines. */
  lastLines(): string
}

export function startSupervised(
  name: 'agent' | 'hub',
  settings: Readonly<Record<string, string>>,
): SupervisedProgram {
  const lines: string[] = []
  const program = superviseChild({
    command: process.execPath,
    args: [
      '--disable-warning=ExperimentalWarning',
      join(repository, 'scripts', 'supervise.ts'),
      mainOfStage(name),
    ],
    env: {
      ...process.env,
      BACKHAUL_LOG: 'json',
      BACKHAUL_REGISTRATION_KEY: 'key-of-the-group',
      ...settings,
    },
    onStdoutLine: (line) => lines.push(line),
    onStderrLine: (line) => lines.push(line),
    killAfterMs: 20_000,
  })
  return { stop: () => program.stop(), lastLines: () => lines.slice(-20).join('\n') }
}
