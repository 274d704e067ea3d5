// Logs of a unit: the question for them, and what came.
import { deviceLogs } from '@backhaul/contract/api/device-logs'
import { call, describeFault, type Fault } from '../../doors/api.ts'
import { createValue } from '../../ui/value.ts'

interface Asked {
  uid: string
  name: string
  /** They are being sent: the dialog offers to stop. */
  isRunning: boolean
}

export const askedLogs = createValue<Asked | null>(null)

/** Opens the sending of a unit's logs, or its end. */
export const askForLogs = (asked: Asked): void => askedLogs.set(asked)

async function faultOf(run: Promise<unknown>): Promise<Fault | undefined> {
  try {
    await run
  } catch (error) {
    return describeFault(error)
  }
}

export const sendLogs = (uid: string, body: { description: string; includeChannel: boolean }) =>
  faultOf(call(deviceLogs.sendOfUnit, { params: { id: uid }, body }))

export const stopLogs = (uid: string) => faultOf(call(deviceLogs.stopOfUnit, { params: { id: uid } }))

/** Hands a log to the browser as a file; throws. */
export async function saveLog(id: string): Promise<void> {
  const { fileName, text } = await call(deviceLogs.text, { params: { id } })
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: fileName })
  link.click()
  URL.revokeObjectURL(url)
}
