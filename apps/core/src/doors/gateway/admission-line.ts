// Limits simultaneous registrations: each is work for the database and for all followers of the group.

/** This many at the same time share a transaction; more would only delay users. */
const atOnce = 64

export class AdmissionLine {
  readonly #waiting: (() => void)[] = []
  #inside = 0

  get length(): number {
    return this.#waiting.length
  }

  /** Resolves when it is the caller's turn; each is followed by one `leave`. */
  async enter(): Promise<void> {
    if (this.#inside < atOnce) {
      this.#inside++
      return
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  leave(): void {
    const next = this.#waiting.shift()
    if (!next) this.#inside--
    // Each has its own turn of the event loop, so that a whole fleet of refusals is not handled in one.
    else setImmediate(next)
  }
}
