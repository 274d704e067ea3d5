// How the code of a reason is kept: as JSON, null where the reason is a text alone.
import type { WireCause } from '@backhaul/contract/define/refusals'

export const causeColumn = (cause: WireCause | undefined): string | null =>
  cause === undefined ? null : JSON.stringify(cause)

/** Nothing for a row from before codes were kept. */
export const causeOfColumn = (column: string | null): { cause?: WireCause } =>
  column === null ? {} : { cause: JSON.parse(column) as WireCause }
