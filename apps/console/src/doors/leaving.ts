// The load of another page in place of this one.

/** A load that the user has stopped does not keep others from beginning after this time. */
const underWayMs = 60_000

let begunAtMs = Number.NEGATIVE_INFINITY

export function leaveFor(url: string): void {
  begunAtMs = performance.now()
  addEventListener('pageshow', noteReturn)
  location.assign(url)
}

/** Back has led to this page, which the browser has kept; the first show of a page is no return to it. */
function noteReturn({ persisted }: PageTransitionEvent): void {
  if (persisted) begunAtMs = Number.NEGATIVE_INFINITY
}

/** Then another load would only begin it again. */
export const isLeaving = (): boolean => performance.now() - begunAtMs < underWayMs
