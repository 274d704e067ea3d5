// The machine that the unit is.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** The process is ended with the machine. Rejects in the words of the machine when it may not. */
export async function rebootMachine(): Promise<void> {
  try {
    await promisify(execFile)('systemctl', ['reboot'])
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string }
    throw new Error(`The machine does not reboot: ${stderr.trim() || message}`)
  }
}
