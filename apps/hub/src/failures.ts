// Reports to core of what the hub could not start.
import { because, type Wording, wordingOf } from '@backhaul/contract/define/refusals'
import type { ServerFailure } from '@backhaul/contract/gateway/servers'
import { withoutFolders } from '@backhaul/runtime/redact'

const LONGEST_REASON = 200

/** The wording of a message of ffmpeg or of the system, without the folders of the server. */
export const faultOf = (message: string): Wording => ({
  message: withoutFolders(message.replace(/^\[[^\]]*\] /, '')).slice(0, LONGEST_REASON),
})

/** Why a port cannot be opened. */
export function openingFault(error: unknown, port: number): Wording {
  const { code, message } = error as NodeJS.ErrnoException
  return code === 'EADDRINUSE' ? wordingOf(because('server.portTaken', { port })) : faultOf(message)
}

/** Why a program ended by itself: its last message, which may be none. */
export const endingFault = (lastMessage: string): Wording =>
  lastMessage === '' ? wordingOf('output.ended') : faultOf(lastMessage)

/** The sample with these failures in addition to its own. */
export const withFailures = <Sample extends { failures?: ServerFailure[] | undefined }>(
  sample: Sample,
  more: readonly ServerFailure[],
): Sample => ({ ...sample, failures: [...(sample.failures ?? []), ...more] })

export const failureOf = (
  type: ServerFailure['type'],
  { message, cause }: Wording,
  name?: string,
): ServerFailure => ({
  type,
  ...(name !== undefined && { name }),
  reason: message,
  ...(cause && { cause }),
})
