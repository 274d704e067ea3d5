/** Gets uploads of units, from the first missing byte on: out of a tunnel that the unit opens, or from core. */
import type { Duplex } from 'node:stream'
import type { UploadProgress } from '@backhaul/contract/gateway/gateway'
import type { fileOrders } from '@backhaul/contract/gateway/servers'
import {
  type AdmittedUpload,
  UPLOAD_VERIFIED_HEADER,
  type UploadSource,
  UploadSum,
} from '@backhaul/contract/gateway/uploads'
import type { Clock } from '@backhaul/runtime/clock'
import type { z } from 'zod'
import { Refused } from './refused.ts'
import type { ServerUploads, UploadTunnels } from './server-hardware.ts'
import type { TokenStore } from './token-store.ts'
import { uploadAddress } from './upload-address.ts'
import { takeFromStream } from './upload-stream.ts'

export interface UploadReceiving {
  /** Resolves when the whole file is kept; the part before an interruption is kept too. */
  receive(order: ReceiveOrder): Promise<void>
  forget(uploadId: string): Promise<void>
}

export interface UploadReceivingOptions {
  coreUrl: string
  tokens: TokenStore
  uploads: ServerUploads
  /** Absent where every file comes through core. */
  tunnels?: UploadTunnels | undefined
  /** Reports the progress of a file in a tunnel. */
  report: (progress: Omit<UploadProgress, 'type'>) => void
  clock: Clock
}

type ReceiveOrder = z.infer<typeof fileOrders.receive_file>

const reportEachMs = 1000
/** A tunnel is kept open this long after its end, so that the unit receives the result. */
const closeAfterMs = 3000

export function createUploadReceiving(options: UploadReceivingOptions): UploadReceiving {
  const { coreUrl, tokens, uploads, tunnels, clock } = options
  const running = new Map<string, { breakOff: AbortController; ended: Promise<unknown> }>()

  /** A connection that core has given up may still appear open here for a while. */
  async function breakOff(uploadId: string, why: 'upload.interrupted' | 'upload.ended'): Promise<void> {
    const before = running.get(uploadId)
    before?.breakOff.abort(new Refused(why))
    await before?.ended
  }

  async function ask(uploadId: string, query: string, signal: AbortSignal): Promise<Response> {
    const token = (await tokens.load())?.token ?? ''
    const answer = await fetch(`${uploadAddress(coreUrl, uploadId)}?${query}`, {
      headers: { authorization: `Bearer ${token}` },
      signal,
    }).catch(() => undefined)
    if (!answer || answer.status >= 500) throw new Refused('upload.interrupted')
    if (!answer.ok) throw new Refused('upload.ended')
    return answer
  }

  async function fetchRest(
    { uploadId, file }: ReceiveOrder,
    kept: number,
    signal: AbortSignal,
  ): Promise<void> {
    const answer = await ask(uploadId, `from=${kept}`, signal)
    if (!answer.body) throw new Refused('upload.ended')
    const isVerified = answer.headers.has(UPLOAD_VERIFIED_HEADER)
    const sum = async () => {
      const read = UploadSum.safeParse(await (await ask(uploadId, 'sum=1', signal)).json())
      if (!read.success) throw new Refused('upload.badRequest')
      return read.data.sha256
    }
    const incoming = { uploadId, file, from: kept, ...(isVerified && { sum }) }
    await uploads.receive(incoming, uninterrupted(answer.body))
  }

  async function takeRest(
    order: ReceiveOrder,
    session: AdmittedUpload,
    kept: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { uploadId, file } = order
    if (!tunnels) throw new Refused('upload.serverNotReady')
    const { promise: called, resolve, reject } = Promise.withResolvers<Duplex>()
    let isTaken = false
    const tunnel = tunnels.admit(session, (stream) => {
      if (isTaken) stream.destroy()
      isTaken = true
      resolve(stream)
    })
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    if (signal.aborted) reject(signal.reason)
    let progress: ReturnType<typeof followProgress> | undefined
    try {
      await takeFromStream(
        await called,
        {
          async begin(source) {
            if (kept > source.sizeBytes) throw new Refused('upload.changed')
            progress = followProgress(uploadId, source, tunnel.isCalled)
            await progress.report()
            return kept
          },
          store: (content, from, sum) => uploads.receive({ uploadId, file, from, sum }, content),
        },
        signal,
      )
      await progress?.report()
    } finally {
      progress?.stop()
      clock.setTimeout(tunnel.close, closeAfterMs)
    }
  }

  /** Reports to core when bytes have come; once all have, that their checksum is still being made. */
  function followProgress(uploadId: string, source: UploadSource, isCalled: () => boolean) {
    let reported = -1
    async function keptNow(): Promise<number> {
      const kept = await uploads.kept(uploadId)
      return kept === 'complete' ? source.sizeBytes : Math.min(kept, source.sizeBytes)
    }
    async function report(): Promise<void> {
      reported = await keptNow()
      options.report({ uploadId, ...source, keptBytes: reported })
    }
    async function turn(): Promise<void> {
      const kept = await keptNow()
      if (kept !== reported || (kept === source.sizeBytes && isCalled())) await report()
    }
    const timer = clock.setInterval(() => void turn().catch(() => {}), reportEachMs)
    return { report, stop: () => clock.clearInterval(timer) }
  }

  async function takeOrFetch(order: ReceiveOrder, signal: AbortSignal): Promise<void> {
    const kept = order.resume ? await uploads.kept(order.uploadId) : 0
    if (kept === 'complete') return
    if (order.tunnel) await takeRest(order, order.tunnel, kept, signal)
    else await fetchRest(order, kept, signal)
  }

  return {
    async receive(order) {
      const { uploadId } = order
      await breakOff(uploadId, 'upload.interrupted')
      const breaking = new AbortController()
      const taken = takeOrFetch(order, breaking.signal)
      const mine = { breakOff: breaking, ended: taken.catch(() => {}) }
      running.set(uploadId, mine)
      try {
        await taken
      } finally {
        if (running.get(uploadId) === mine) running.delete(uploadId)
      }
    },
    async forget(uploadId) {
      await breakOff(uploadId, 'upload.ended')
      await uploads.forget(uploadId)
    },
  }
}

/** A fault of the connection, told apart from one of the disk. */
async function* uninterrupted(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* content
  } catch {
    throw new Refused('upload.interrupted')
  }
}
