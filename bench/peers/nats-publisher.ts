/** Publishes changes to a NATS server: `nats-publisher.ts <port>`; each topic changes once a second, as in the fleet. */
import type { PushMessage } from '@backhaul/contract/define/topic'
import { answerLines } from '../load/load-program.ts'
import { publisherOf } from '../load/nats.ts'

const publish = await publisherOf(Number(process.argv[2]))
const slices = 20

interface Question {
  sendSeconds?: number
  topics?: number
  /** The messages of one change. */
  example?: PushMessage[]
}

answerLines(async ({ sendSeconds = 0, topics = 0, example = [] }: Question) => {
  const startedAt = performance.now()
  for (let slice = 0; slice < sendSeconds * slices; slice++) {
    for (let at = slice % slices; at < topics; at += slices) {
      const topic = `unit.${at}`
      publish(topic, JSON.stringify(example.map((one) => ({ ...one, topic, ts: Date.now(), seq: slice }))))
    }
    const dueMs = startedAt + ((slice + 1) * 1000) / slices
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())))
  }
  return { tookMs: performance.now() - startedAt }
})
