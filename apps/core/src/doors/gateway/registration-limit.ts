// Limits the failed registrations of one address in a minute, so that a key or a code cannot be guessed.
import { lineOf } from '../source-address.ts'

const failuresAtMost = 10
const periodMs = 60_000

interface Address {
  /** The times of failed registrations, the oldest first. */
  failedMs: number[]
  running: number
  waiting: (() => void)[]
}

export class RegistrationLimit {
  readonly #addresses = new Map<string, Address>()
  readonly #nowMs: () => number

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /**
   * False when the address has failed too often. Waits while the keys that are being looked up for it could all together
   * fail too often: attempts at the same time count as well. Each true is followed by one `leave`.
   */
  async enter(name: string): Promise<boolean> {
    const address = this.#addresses.get(lineOf(name)) ?? { failedMs: [], running: 0, waiting: [] }
    this.#addresses.set(lineOf(name), address)
    for (;;) {
      this.#forget(address)
      if (address.failedMs.length >= failuresAtMost) return false
      if (address.failedMs.length + address.running < failuresAtMost) break
      await new Promise<void>((resolve) => address.waiting.push(resolve))
    }
    address.running++
    return true
  }

  leave(name: string, hasFailed: boolean): void {
    const address = this.#addresses.get(lineOf(name))
    if (!address) return
    address.running--
    if (hasFailed) address.failedMs.push(this.#nowMs())
    for (const wake of address.waiting.splice(0)) wake()
  }

  /** Drops addresses without recent failures; call from time to time. */
  sweep(): void {
    for (const [name, address] of this.#addresses) {
      this.#forget(address)
      if (address.failedMs.length + address.running + address.waiting.length === 0)
        this.#addresses.delete(name)
    }
  }

  #forget(address: Address): void {
    const sinceMs = this.#nowMs() - periodMs
    address.failedMs = address.failedMs.filter((ms) => ms > sinceMs)
  }
}
