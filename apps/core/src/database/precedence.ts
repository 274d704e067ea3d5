// The order of work where the database does one at a time: that of users before that of devices and timers.
import { AsyncLocalStorage } from 'node:async_hooks'

const person = new AsyncLocalStorage<true>()

/** Runs `work`, and everything that it waits for, on behalf of a user who waits for the answer. */
export const forPeople = <T>(work: () => T): T => person.run(true, work)

const isForPeople = (): boolean => person.getStore() === true

/** After this many turns of users one of the others gets its turn, so that a busy program with a key blocks nothing. */
const turnsInARow = 10

interface Waiting {
  enter(): void
}

/** Admits a number at the same time; users first, each kind in the order of arrival. */
export class Precedence {
  readonly #atOnce: number
  /** The number of them that work other than users' requests may take. */
  readonly #othersAtOnce: number
  readonly #people: Waiting[] = []
  readonly #others: Waiting[] = []
  #inside = 0
  #othersInside = 0
  #inARow = 0

  constructor(atOnce: number, othersAtOnce = atOnce) {
    this.#atOnce = atOnce
    this.#othersAtOnce = othersAtOnce
  }

  /** Resolves with the function that frees the place; rejects with `tooLate()` after `withinMs`. */
  enter(withinMs: number, tooLate: () => Error): Promise<() => void> {
    const isPerson = isForPeople()
    if (this.#hasRoom(isPerson)) return Promise.resolve(this.#take(isPerson))
    const line = isPerson ? this.#people : this.#others
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        line.splice(line.indexOf(waiting), 1)
        reject(tooLate())
      }, withinMs)
      const waiting: Waiting = {
        enter: () => {
          clearTimeout(timer)
          resolve(this.#take(isPerson))
        },
      }
      line.push(waiting)
    })
  }

  #hasRoom(isPerson: boolean): boolean {
    return this.#inside < this.#atOnce && (isPerson || this.#othersInside < this.#othersAtOnce)
  }

  #take(isPerson: boolean): () => void {
    this.#inside++
    if (!isPerson) this.#othersInside++
    this.#inARow = isPerson ? this.#inARow + 1 : 0
    let isGivenBack = false
    return () => {
      if (isGivenBack) return
      isGivenBack = true
      this.#inside--
      if (!isPerson) this.#othersInside--
      this.#next()
    }
  }

  #next(): void {
    const mayOthers = this.#others.length > 0 && this.#hasRoom(false)
    const isTurnOfOthers = mayOthers && (this.#people.length === 0 || this.#inARow >= turnsInARow)
    if (isTurnOfOthers) this.#others.shift()?.enter()
    else if (this.#hasRoom(true)) this.#people.shift()?.enter()
  }
}
