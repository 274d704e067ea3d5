// The machine that the unit runs on.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { because } from '@backhaul/contract/define/refusals'
import { Refused } from '@backhaul/device/refused'

/** The process is ended with the machine. Rejects with the machine's own reason when it may not. */
export async function rebootMachine(): Promise<void> {
  await run('systemctl', ['reboot'], 'device.rebootFailed')
}

/** Runs the command of the machine's owner. */
export async function shutDownMachine(command: string): Promise<void> {
  await run('/bin/sh', ['-c', command], 'device.shutdownFailed')
}

async function run(
  program: string,
  args: readonly string[],
  code: 'device.rebootFailed' | 'device.shutdownFailed',
): Promise<void> {
  try {
    await promisify(execFile)(program, args)
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string }
    throw new Refused(because(code, { error: stderr.trim() || message }))
  }
}
