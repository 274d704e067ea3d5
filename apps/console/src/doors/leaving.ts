// The load of another page in place of this one.

/** One that the user has stopped is no longer under way after this time. */
const underWayMs = 60_000

let begunAtMs = Number.NEGATIVE_INFINITY

// Back leads to a page that the browser has kept.
addEventListener('pageshow', () => {
  begunAtMs = Number.NEGATIVE_INFINITY
})

export function leaveFor(url: string): void {
  begunAtMs = performance.now()
  location.assign(url)
}

/** Another load would begin it again. */
export const isLeaving = (): boolean => performance.now() - begunAtMs < underWayMs
