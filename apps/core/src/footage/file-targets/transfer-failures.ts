// Errors of sockets and libraries as failures of a transfer.
import { Refusal } from '@backhaul/contract/define/errors'
import { because } from '@backhaul/contract/define/refusals'
import { OutwardFailure } from '../../doors/outward-address.ts'
import { TransferFailure } from './transfer.ts'

/** A closed address is not tried again, a refusal by core itself is passed on; any other failure may be temporary. */
export function failureOf(error: unknown): Error {
  if (error instanceof TransferFailure || error instanceof Refusal) return error
  if (error instanceof OutwardFailure) return new TransferFailure(error.reason, true)
  // OpenSSL's message is a line of numbers and files around its reason.
  const { message, reason = message } = error as Error & { reason?: string }
  // The FTP library appends this.
  const words = reason.replace(/ \((control|data) socket\)$/, '')
  return new TransferFailure(because('sending.noAnswer', { error: words.slice(0, 200) }), false)
}
