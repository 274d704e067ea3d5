// Two writes at the same time: the table accepts only one of them, and the other is refused.

import { Conflict } from '@backhaul/contract/define/errors'
import type { PlainCode } from '@backhaul/contract/define/refusals'
import { isTaken } from './dialect.ts'

/** Throws what `refusal` makes when the row's key or name exists already, and any other error unchanged. */
export async function unlessTaken<T>(writing: Promise<T>, refusal: () => Error): Promise<T> {
  try {
    return await writing
  } catch (error) {
    throw isTaken(error) ? refusal() : error
  }
}

export const uniqueName = <T>(writing: Promise<T>, reason: PlainCode = 'name.notUnique'): Promise<T> =>
  unlessTaken(writing, () => Conflict.at('name', reason))
