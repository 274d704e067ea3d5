/** Fetches uploads of units from core, each from the first missing byte on, with retries until it is complete. */
import type { fileOrders } from '@backhaul/contract/gateway/servers'
import type { z } from 'zod'
import { Refused } from './refused.ts'
import type { ServerUploads } from './server-hardware.ts'
import type { TokenStore } from './token-store.ts'
import { uploadAddress } from './upload-address.ts'

export interface UploadReceiving {
  /** Resolves when the whole file is kept; the part before an interruption is kept too. */
  receive(order: z.infer<typeof fileOrders.receive_file>): Promise<void>
  forget(uploadId: string): Promise<void>
}

export interface UploadReceivingOptions {
  coreUrl: string
  tokens: TokenStore
  uploads: ServerUploads
}

export function createUploadReceiving({ coreUrl, tokens, uploads }: UploadReceivingOptions): UploadReceiving {
  const running = new Map<string, { breakOff: AbortController; ended: Promise<unknown> }>()

  /** A connection that core has given up may still appear open here for a while. */
  async function breakOff(uploadId: string): Promise<void> {
    const before = running.get(uploadId)
    before?.breakOff.abort()
    await before?.ended
  }

  async function fetchRest(
    { uploadId, file, resume }: z.infer<typeof fileOrders.receive_file>,
    signal: AbortSignal,
  ): Promise<void> {
    const kept = resume ? await uploads.kept(uploadId) : 0
    if (kept === 'complete') return
    const token = (await tokens.load())?.token ?? ''
    const answer = await fetch(`${uploadAddress(coreUrl, uploadId)}?from=${kept}`, {
      headers: { authorization: `Bearer ${token}` },
      signal,
    }).catch(() => undefined)
    if (!answer || answer.status >= 500) throw new Refused('upload.interrupted')
    if (!answer.ok || !answer.body) throw new Refused('upload.ended')
    await uploads.receive({ uploadId, file, from: kept }, uninterrupted(answer.body))
  }

  return {
    async receive(order) {
      const { uploadId } = order
      await breakOff(uploadId)
      const breaking = new AbortController()
      const fetched = fetchRest(order, breaking.signal)
      const mine = { breakOff: breaking, ended: fetched.catch(() => {}) }
      running.set(uploadId, mine)
      try {
        await fetched
      } finally {
        if (running.get(uploadId) === mine) running.delete(uploadId)
      }
    },
    async forget(uploadId) {
      await breakOff(uploadId)
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
