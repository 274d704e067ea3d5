const FIRST_PLACES = 256

/**
 * Items by numbers that follow each other, in an array that is used round and round. A map costs more where each packet
 * comes and goes, and its earlier tables keep packets from being collected until all of the memory is.
 */
export class Places<T> {
  /** A power of two, so that 16-bit numbers may begin again. */
  #items: (T | undefined)[] = new Array(FIRST_PLACES)

  get(number: number): T | undefined {
    return this.#items[number % this.#items.length]
  }

  set(number: number, item: T | undefined): void {
    this.#items[number % this.#items.length] = item
  }

  /** Makes room for `count` numbers from `from` on, which is the first in use. */
  reach(from: number, count: number): void {
    const before = this.#items
    if (count <= before.length) return
    this.#items = new Array(2 ** Math.ceil(Math.log2(count)))
    for (let ahead = 0; ahead < before.length; ahead++)
      this.set(from + ahead, before[(from + ahead) % before.length])
  }
}
