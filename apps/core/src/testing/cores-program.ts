// Several cores in one process: each test of the console begins with a new core, and what Node has loaded and compiled for
// the first serves all of them; their passwords are hashed at the least cost. Standard input names which to start and to
// stop, standard output how they fare, a line each.
import { createInterface } from 'node:readline'
import { failStart } from '@backhaul/runtime/settings'
import { runCore } from '../run.ts'
import { readCoreSettings } from '../settings.ts'

interface Order {
  id: number
  /** The settings of a core to start; without them the core of this id is stopped. */
  env?: Record<string, string>
}

const stops = new Map<number, () => Promise<void>>()
const report = (message: object) => void process.stdout.write(`${JSON.stringify(message)}\n`)

async function start(id: number, env: Record<string, string>): Promise<void> {
  const ready = await runCore({
    settings: { ...readCoreSettings(env), hashing: { memoryKib: 8, passes: 1 } },
    print: (text) => report({ id, line: text.trimEnd() }),
    stopBy: (_log, stop) => void stops.set(id, stop),
    onTaken: failStart,
  })
  report({ id, ready })
}

async function stop(id: number): Promise<void> {
  await stops.get(id)?.()
  stops.delete(id)
  report({ id, stopped: true })
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, env } = JSON.parse(line) as Order
  const done = env ? start(id, env) : stop(id)
  done.catch((error: Error) => report({ id, failed: error.stack ?? error.message }))
}
process.exit()
