// Registrations one after the other: each is work for the database and for everybody who follows the group.

/** So many at once keep the database busy; more would only make people wait behind them. */
const atOnce = 4

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
    // In a turn of its own, so that a whole fleet of refusals does not pass in one.
    else setImmediate(next)
  }
}
