// The machine that the unit runs on.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { because } from '@backhaul/contract/define/refusals'
import { Refused } from '@backhaul/device/refused'

/** The process is ended with the machine. Rejects with the machine's own reason when it may not. */
export async function rebootMachine(): Promise<void> {
  try {
    await promisify(execFile)('systemctl', ['reboot'])
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string }
    throw new Refused(because('device.rebootFailed', { error: stderr.trim() || message }))
  }
}
