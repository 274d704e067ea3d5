// Reports to core of what the hub could not start.
import { because, type Wording, wordingOf } from '@backhaul/contract/define/refusals'
import type { ServerFailure } from '@backhaul/contract/gateway/servers'

const LONGEST_REASON = 200

/** Why a port cannot be opened. */
export function openingFault(error: unknown, port: number): Wording {
  const { code, message } = error as NodeJS.ErrnoException
  return code === 'EADDRINUSE' ? wordingOf(because('server.portTaken', { port })) : { message }
}

export const failureOf = (
  type: ServerFailure['type'],
  { message, cause }: Wording,
  name?: string,
): ServerFailure => ({
  type,
  ...(name !== undefined && { name }),
  reason: message.slice(0, LONGEST_REASON),
  ...(cause && { cause }),
})
