/** The common part of all fleets: how many to join at a time, and one status a second each, spread over the second. */
import { answerLines } from './load-program.ts'

export interface FleetRequest {
  /** Grow to this many devices. */
  grow?: number
  /** This many of them join at the same moment. */
  atOnce?: number
  /** Make what each sends in this time, so that it costs nothing while it is sent. */
  makeSeconds?: number
  /** Let each send a status a second for this time. */
  sendSeconds?: number
  /** Put a number that no other status has into each, and report when it was sent. */
  marked?: boolean
  /** Each status gives cause for an alert. */
  alarming?: boolean
  /** Each drives, all over the world. */
  driving?: boolean
}

export interface Sent {
  sent: number
  tookMs: number
  /** Number and time of each marked status. */
  marks: [mark: number, sentMs: number][]
}

/** Options of a status. */
export interface Status {
  mark: number | undefined
  alarming: boolean
  driving: boolean
}

const joinAtOnce = 100
const slices = 20
const firstMark = 10_000

/** Milliseconds since 1970 with a fraction, comparable with the same of a browser on this machine. */
const exactNow = () => performance.timeOrigin + performance.now()

export interface Fleet<Device, Message> {
  join(device: number): Promise<Device>
  /** The status of a device, which carries `mark` as the round-trip time when there is one. */
  make(number: number, second: number, status: Status): Message
  send(device: Device, number: number, message: Message): void
  counted?(): object
}

export function answerAsFleet<Device, Message>({ join, make, send, counted }: Fleet<Device, Message>): void {
  const devices: Device[] = []
  /** By second and device. */
  let made: Message[][] = []
  let nextMark = firstMark

  async function grow(count: number, atOnce: number) {
    while (devices.length < count) {
      const first = devices.length
      const some = Array.from({ length: Math.min(atOnce, count - first) }, (_, i) => join(first + i))
      devices.push(...(await Promise.all(some)))
    }
    return { joined: devices.length }
  }

  async function sendFor(
    seconds: number,
    marked: boolean,
    more: Pick<Status, 'alarming' | 'driving'>,
  ): Promise<Sent> {
    const marks: Sent['marks'] = []
    let sent = 0
    const startedAt = performance.now()
    for (let slice = 0; slice < seconds * slices; slice++) {
      // Not in step with any timer of the measured programs.
      const dueMs = startedAt + ((slice + (marked ? Math.random() : 0)) * 1000) / slices
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())))
      for (let at = slice % slices; at < devices.length; at += slices) {
        const mark = marked ? nextMark++ : undefined
        if (mark !== undefined) marks.push([mark, exactNow()])
        const second = Math.floor(slice / slices)
        const message = made[second]?.[at] ?? make(at, second, { mark, ...more })
        send(devices[at] as Device, at, message)
        sent++
      }
    }
    made = []
    return { sent, tookMs: Math.round(performance.now() - startedAt), marks }
  }

  function makeFor(seconds: number, status: Status): object {
    made = Array.from({ length: seconds }, (_, second) => devices.map((_, at) => make(at, second, status)))
    return {}
  }

  answerLines(async (question: FleetRequest) => {
    const { grow: count, atOnce, makeSeconds, sendSeconds, marked = false } = question
    const { alarming = false, driving = false } = question
    if (makeSeconds !== undefined) return makeFor(makeSeconds, { mark: undefined, alarming, driving })
    if (count !== undefined) return await grow(count, atOnce ?? joinAtOnce)
    if (sendSeconds !== undefined) return await sendFor(sendSeconds, marked, { alarming, driving })
    return counted?.() ?? {}
  })
}
