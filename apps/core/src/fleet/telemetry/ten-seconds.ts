// The seconds of one interval of 10 s as sums: the same figures as `merged` makes of them, and nothing of them is kept.
// Seconds that are kept until the ten are over outlive the short collections of garbage, a fleet of them at a time.
import { type Figures, type LinkFigures, portsOf, type SecondFigures, type SecondLink } from './chunk.ts'

/** The positions of the figures of each link. */
const [SECONDS, KBPS, LEAST, MOST, TRIPS, TRIP, LONGEST, LOSS, WORST] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const
const linkWidth = 9

export class TenSeconds {
  /** The end of the last second; undefined before the first one. */
  lastTs: number | undefined
  #encoderKbps = 0
  #encoding = 0
  #capacityKbps = 0
  #capable = 0
  #droppedPackets = 0
  #batteryPercent: number | null = null
  #lat: number | null = null
  #lng: number | null = null
  #ports: readonly number[] = []
  #links = new Float64Array(0)

  add(figures: SecondFigures): void {
    const { encoderKbps, capacityKbps, links } = figures
    this.lastTs = figures.ts
    if (encoderKbps !== null) {
      this.#encoderKbps += encoderKbps
      this.#encoding++
    }
    if (capacityKbps !== null) {
      this.#capacityKbps += capacityKbps
      this.#capable++
    }
    this.#droppedPackets += figures.droppedPackets
    this.#batteryPercent = figures.batteryPercent
    this.#lat = figures.lat
    this.#lng = figures.lng
    if (this.#ports.length === 0 && isAscending(links)) {
      this.#ports = portsOf(links)
      this.#links = new Float64Array(links.length * linkWidth)
    }
    for (let at = 0; at < links.length; at++) {
      const link = links[at] as SecondLink
      this.#addLink(link, this.#ports[at] === link.port ? at : this.#placeOf(link.port))
    }
  }

  /** Without functions, `Math.min` included: their arguments would be garbage of each link in each second. */
  #addLink({ kbps, rttMs, lossPercent }: SecondLink, place: number): void {
    const sums = this.#links
    const from = place * linkWidth
    const seconds = sums[from + SECONDS] as number
    sums[from + SECONDS] = seconds + 1
    sums[from + KBPS] = (sums[from + KBPS] as number) + kbps
    if (seconds === 0 || kbps < (sums[from + LEAST] as number)) sums[from + LEAST] = kbps
    if (seconds === 0 || kbps > (sums[from + MOST] as number)) sums[from + MOST] = kbps
    sums[from + LOSS] = (sums[from + LOSS] as number) + lossPercent
    if (seconds === 0 || lossPercent > (sums[from + WORST] as number)) sums[from + WORST] = lossPercent
    if (rttMs === null) return
    const trips = sums[from + TRIPS] as number
    if (trips === 0 || rttMs > (sums[from + LONGEST] as number)) sums[from + LONGEST] = rttMs
    sums[from + TRIPS] = trips + 1
    sums[from + TRIP] = (sums[from + TRIP] as number) + rttMs
  }

  #placeOf(port: number): number {
    const known = this.#ports.indexOf(port)
    if (known >= 0) return known
    const larger = new Float64Array((this.#ports.length + 1) * linkWidth)
    larger.set(this.#links)
    this.#links = larger
    this.#ports = [...this.#ports, port]
    return this.#ports.length - 1
  }

  /** All seconds so far as one interval that ends at `ts`. */
  figures(ts: number): Figures {
    return {
      ts,
      encoderKbps: meanOf(this.#encoderKbps, this.#encoding),
      capacityKbps: meanOf(this.#capacityKbps, this.#capable),
      droppedPackets: this.#droppedPackets,
      batteryPercent: this.#batteryPercent,
      lat: this.#lat,
      lng: this.#lng,
      links: this.#ports
        .map((port, place) => this.#linkFigures(port, place))
        .filter((link) => link !== undefined)
        .sort((one, other) => one.port - other.port),
    }
  }

  /** Undefined for a link that was in earlier intervals only. */
  #linkFigures(port: number, place: number): LinkFigures | undefined {
    const of = (what: number) => this.#links[place * linkWidth + what] as number
    const seconds = of(SECONDS)
    if (seconds === 0) return undefined
    const hasTrips = of(TRIPS) > 0
    return {
      port,
      kbps: of(KBPS) / seconds,
      kbpsMin: of(LEAST),
      kbpsMax: of(MOST),
      rttMs: hasTrips ? of(TRIP) / of(TRIPS) : null,
      rttMaxMs: hasTrips ? of(LONGEST) : null,
      lossPercent: of(LOSS) / seconds,
      lossMaxPercent: of(WORST),
    }
  }

  /** Another interval begins, most likely with the same links. */
  clear(): void {
    this.lastTs = undefined
    this.#encoderKbps = this.#encoding = this.#capacityKbps = this.#capable = this.#droppedPackets = 0
    this.#links.fill(0)
  }
}

/** Each port is there once. */
const isAscending = (links: readonly SecondLink[]): boolean =>
  links.every(({ port }, at) => at === 0 || (links[at - 1] as SecondLink).port < port)

const meanOf = (sum: number, count: number) => (count === 0 ? null : sum / count)
