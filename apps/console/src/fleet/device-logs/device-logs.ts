// Logs of a unit or a channel, and support cases about a unit: the question for them, and what came.
import { deviceLogs } from '@backhaul/contract/api/device-logs'
import { supportCases } from '@backhaul/contract/api/support-cases'
import type { CallInput } from '@backhaul/contract/define/client'
import type { SupportCase } from '@backhaul/contract/nouns/support-cases'
import type { Unit } from '@backhaul/contract/nouns/units'
import { call, describeFault, type Fault } from '../../doors/api.ts'
import { reread } from '../../doors/reads.ts'
import { createValue } from '../../ui/value.ts'

/** Fields of a unit that the dialog needs. */
export type AskedUnit = Pick<
  Unit,
  'uid' | 'name' | 'status' | 'applications' | 'capabilities' | 'transmission'
>

export type AskedLogs = { kind: 'unit'; unit: AskedUnit } | { kind: 'channel'; channel: AskedChannel }

/** The logs of a channel are those of its server. */
export type AskedChannel = { uid: string; name: string; serverId: string }

export const askedLogs = createValue<AskedLogs | null>(null)

/** Opens the sending of a unit's logs, or its end, or a support case about it. */
export const askForLogs = (unit: AskedUnit): void => askedLogs.set({ kind: 'unit', unit })

/** Opens the sending of a channel's logs, or its end. */
export const askForChannelLogs = (channel: AskedChannel): void => askedLogs.set({ kind: 'channel', channel })

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

const ofChannel = async (uid: string, run: Promise<unknown>) => {
  const fault = await faultOf(run)
  await reread(deviceLogs.ofChannel, { params: { id: uid } })
  return fault
}

export const sendChannelLogs = (uid: string, description: string) =>
  ofChannel(uid, call(deviceLogs.sendOfChannel, { params: { id: uid }, body: { description } }))

export const stopChannelLogs = (uid: string) =>
  ofChannel(uid, call(deviceLogs.stopOfChannel, { params: { id: uid } }))

/** Throws. */
export async function openCase(body: CallInput<typeof supportCases.open>['body']): Promise<SupportCase> {
  const opened = await call(supportCases.open, { body })
  await reread(supportCases.ofUnit, { params: { id: body.unit } })
  return opened
}

/** Hands a log to the browser as a file; throws. */
export async function saveLog(id: string): Promise<void> {
  const { fileName, text } = await call(deviceLogs.text, { params: { id } })
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: fileName })
  link.click()
  URL.revokeObjectURL(url)
}
