/** The load of the mobile networks of a city at each hour of its day. */

/** Hour of the day → share of a cell's capacity that is left; linear in between. */
const leftByHour: readonly (readonly [hour: number, left: number])[] = [
  [0, 0.95],
  [4, 1],
  [7, 0.8],
  [8.5, 0.62],
  [10, 0.78],
  [12.5, 0.68],
  [15, 0.76],
  [17.5, 0.56],
  [20, 0.6],
  [22, 0.8],
  [24, 0.95],
]

/** From 0 to 1; 1 is an empty network. `utcHours` is the city's distance from UTC. */
export function capacityLeft(nowMs: number, utcHours: number): number {
  const hour = (((nowMs / 3_600_000 + utcHours) % 24) + 24) % 24
  const next = leftByHour.findIndex(([from]) => from > hour)
  const [fromHour, from] = leftByHour[next - 1] ?? [0, 1]
  const [toHour, to] = leftByHour[next] ?? [24, 1]
  return from + ((to - from) * (hour - fromHour)) / (toHour - fromHour)
}
