// Stores the code of a reason: as JSON, null where the reason has only a text.
import type { WireCause } from '@backhaul/contract/define/refusals'

export const causeColumn = (cause: WireCause | undefined): string | null =>
  cause === undefined ? null : JSON.stringify(cause)

/** Nothing for a row from before codes were kept. */
export const causeOfColumn = (column: string | null): { cause?: WireCause } =>
  column === null ? {} : { cause: JSON.parse(column) as WireCause }
