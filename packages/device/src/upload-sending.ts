/** Sends a file of the unit to core part by part, each is repeated until core confirms it. */
import { UPLOAD_PART_BYTES } from '@backhaul/contract/gateway/shared'
import type { ActivityState } from '@backhaul/contract/nouns/unit-status'
import type { Clock } from '@backhaul/runtime/clock'
import { Refused } from './refused.ts'
import type { TokenStore } from './token-store.ts'
import type { UnitFiles } from './unit-hardware.ts'
import { uploadAddress } from './upload-address.ts'

export interface UploadSending {
  /**
   * Resolves when core has accepted all of the file, from the byte on that it names; rejects when the upload is
   * cancelled, or core cannot be reached. A second call for the same upload ends the first.
   */
  send(uploadId: string, path: string): Promise<void>
  /** How the unit reports it among its activities. */
  activity(): ActivityState | undefined
  /** Closes permanently; a running upload is aborted. */
  close(): void
}

export interface UploadSendingOptions {
  coreUrl: string
  tokens: TokenStore
  files: UnitFiles
  onChange: () => void
  clock: Clock
}

/** Without an answer of core the same part is repeated after this time, this many times. */
const againAfterMs = 2000
const triesAtMost = 15
/** How long the completed state is reported. */
const doneShownMs = 3000

export function createUploadSending(options: UploadSendingOptions): UploadSending {
  const { coreUrl, tokens, files, onChange, clock } = options
  const closing = new AbortController()
  const running = new Map<string, AbortController>()
  let shown: ActivityState | undefined

  function show(state: ActivityState | undefined): void {
    shown = state
    onChange()
  }

  async function putOnce(
    address: string,
    part: Uint8Array<ArrayBuffer>,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const token = (await tokens.load())?.token ?? ''
    const answer = await fetch(address, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
      body: part,
      signal,
    }).catch(() => undefined)
    signal.throwIfAborted()
    if (answer?.status === 200) return ((await answer.json()) as { taken: number }).taken
    if (answer && answer.status < 500) throw new Refused('upload.ended')
  }

  /** The number of bytes that core has accepted after it. */
  async function put(address: string, part: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<number> {
    for (let tries = 0; tries < triesAtMost; tries++) {
      const taken = await putOnce(address, part, signal)
      if (taken !== undefined) return taken
      await new Promise<void>((resolve) => clock.setTimeout(resolve, againAfterMs))
    }
    throw new Refused('upload.interrupted')
  }

  async function sendAll(uploadId: string, path: string, signal: AbortSignal): Promise<void> {
    const file = await files.open(path)
    try {
      const { sizeBytes: of, modifiedMs } = file
      let taken = 0
      do {
        const part = await file.read(taken, Math.min(UPLOAD_PART_BYTES, of - taken))
        if (part.length === 0 && taken < of) throw new Refused('upload.shorter')
        const query = `from=${taken}&of=${of}&modified=${modifiedMs}`
        taken = await put(`${uploadAddress(coreUrl, uploadId)}?${query}`, part, signal)
      } while (taken < of)
    } finally {
      await file.close()
    }
  }

  return {
    async send(uploadId, path) {
      running.get(uploadId)?.abort()
      const own = new AbortController()
      running.set(uploadId, own)
      show({ state: 'uploading', since: clock.nowMs() })
      let after: ActivityState | undefined
      try {
        await sendAll(uploadId, path, AbortSignal.any([closing.signal, own.signal]))
        after = { state: 'completed', since: clock.nowMs() }
      } finally {
        if (running.get(uploadId) === own) running.delete(uploadId)
        if (running.size === 0) show(after)
      }
      clock.setTimeout(() => {
        if (shown === after) show(undefined)
      }, doneShownMs)
    },
    activity: () => shown,
    close: () => closing.abort(),
  }
}
