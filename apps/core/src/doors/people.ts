// How many people wait for an answer of core now: what devices send gives way to them.
export class People {
  #waiting = 0

  get areWaiting(): boolean {
    return this.#waiting > 0
  }

  /** Answers the function that says that they have their answer; calling it again is harmless. */
  wait(): () => void {
    this.#waiting++
    let isOver = false
    return () => {
      if (!isOver) this.#waiting--
      isOver = true
    }
  }
}
