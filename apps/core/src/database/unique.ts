// Two at one instant: the table lets only one of them in, and the other is told so.

import { Conflict } from '@backhaul/contract/define/errors'
import type { PlainCode } from '@backhaul/contract/define/refusals'
import { isTaken } from './dialect.ts'

/** Throws what `refusal` makes when the row's key or name stands already, and any other error as it is. */
export async function unlessTaken<T>(writing: Promise<T>, refusal: () => Error): Promise<T> {
  try {
    return await writing
  } catch (error) {
    throw isTaken(error) ? refusal() : error
  }
}

export const uniqueName = <T>(writing: Promise<T>, reason: PlainCode = 'name.notUnique'): Promise<T> =>
  unlessTaken(writing, () => Conflict.at('name', reason))
