// The newest RTP packets of a feed, for all its viewers: what one has lost, and where the next one begins.

/** About a second of 20 Mbit/s. */
const MOST_PACKETS = 2048

export function createRtpHistory() {
  const packets: (Buffer | undefined)[] = []
  let newest: number | undefined
  let groupFrom: number | undefined
  const at = (sequence: number) => packets[sequence % MOST_PACKETS]
  const sequenceOf = (packet: Buffer) => packet.readUInt16BE(2)

  return {
    /** Adds packets in the order of their sequence numbers; `opens` marks the first of a group of pictures. */
    put(packet: Buffer, opens: boolean): void {
      newest = sequenceOf(packet)
      packets[newest % MOST_PACKETS] = packet
      if (opens) groupFrom = newest
    },
    find(sequence: number): Buffer | undefined {
      const packet = at(sequence)
      return packet && sequenceOf(packet) === sequence ? packet : undefined
    },
    /** All packets since the newest group of pictures began; none when they are no longer there. */
    group(): Buffer[] {
      if (groupFrom === undefined || newest === undefined) return []
      const count = ((newest - groupFrom) & 0xffff) + 1
      if (count > MOST_PACKETS) return []
      return Array.from({ length: count }, (_, index) => at((groupFrom! + index) & 0xffff)!)
    },
    /** Another stream follows: its viewers begin with its first group. */
    endGroup(): void {
      groupFrom = undefined
    },
    clear(): void {
      packets.length = 0
      newest = undefined
      groupFrom = undefined
    },
  }
}
