// WebRTC viewers for benchmarks: one for each line of JSON with its address and headers. Ends with its standard input.
import { createInterface } from 'node:readline'
import { playWhep, type WhepClient } from './whep-client.ts'

const viewers: WhepClient[] = []

async function answer(call: { url?: string; headers?: Record<string, string> }): Promise<object> {
  if (call.url !== undefined) viewers.push(await playWhep(call.url, call.headers ?? {}))
  return { packets: viewers.map((viewer) => viewer.packets('video')) }
}

createInterface({ input: process.stdin })
  .on('line', async (line) => console.log(JSON.stringify(await answer(JSON.parse(line)))))
  .on('close', () => process.exit(0))
