// A hub of its own for benchmarks: `loaded-hub-program.ts <channels> <data folder>`. Each channel receives the transmission named like its slot.
// Answers each line of JSON on standard input with one, and ends with it.
import { mkdirSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { runHub, wantedChannel } from './running-hub.ts'

interface LoadedHub {
  channels: {
    slot: string
    channelId: string
    port: number
    kbps: number
    status: string
    continuityErrors: number
    uncorrected: number
  }[]
}

const [count, folder = ''] = process.argv.slice(2)
const bonded = Number(count)
mkdirSync(folder, { recursive: true })
const hub = await runHub({ bonded, folder })
const slots = Array.from({ length: bonded }, (_, at) => `bonded-${at + 1}`)
const channels = slots.map((slot) =>
  wantedChannel(slot, {
    intake: {
      transmissionId: slot,
      unitId: slot,
      key: Buffer.alloc(32, slot).toString('base64'),
      bufferMs: 400,
    },
  }),
)
void hub.hardware.apply({ channels }, new AbortController().signal)

function answer({ watch }: { watch?: string }): object {
  if (watch !== undefined) {
    const path = `/channels/${watch}/whep`
    return { url: hub.previewUrl(path), headers: hub.headers(path, 'POST') }
  }
  const { ports } = hub.hardware.facts()
  return {
    channels: slots.map((slot) => {
      const channelId = `channel-of-${slot}`
      const {
        kbps = 0,
        status = 'idle',
        continuityErrors = 0,
        uncorrected = 0,
      } = hub.channel(channelId) ?? {}
      const port = ports.find((one) => one.slot === slot)?.ristPort ?? 0
      return { slot, channelId, port, kbps, status, continuityErrors, uncorrected }
    }),
  } satisfies LoadedHub
}

createInterface({ input: process.stdin })
  .on('line', (line) => console.log(JSON.stringify(answer(JSON.parse(line)))))
  .on('close', async () => {
    await hub.stop()
    process.exit(0)
  })
