// Counts the users who wait for an answer of core now: they have precedence over messages of devices.
export class People {
  #waiting = 0

  get areWaiting(): boolean {
    return this.#waiting > 0
  }

  /** Answers the function to call when the answer is sent; calling it again is harmless. */
  wait(): () => void {
    this.#waiting++
    let isOver = false
    return () => {
      if (!isOver) this.#waiting--
      isOver = true
    }
  }
}
