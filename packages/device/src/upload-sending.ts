/** Sends files of the unit: through a tunnel to the server, or to core part by part, each repeated until core confirms it. */
import { UPLOAD_PART_BYTES } from '@backhaul/contract/gateway/shared'
import type { UploadTunnel } from '@backhaul/contract/gateway/uploads'
import type { ActivityState } from '@backhaul/contract/nouns/unit-status'
import type { Clock } from '@backhaul/runtime/clock'
import { Refused } from './refused.ts'
import type { TokenStore } from './token-store.ts'
import type { OpenFile, UnitFiles, UnitHardware } from './unit-hardware.ts'
import { uploadAddress } from './upload-address.ts'
import { createFollowingSum, sendThroughStream } from './upload-stream.ts'

export interface UploadSending {
  /**
   * Resolves when the server, or without a tunnel core, has accepted all of the file, from the byte on that it names;
   * rejects when the upload is cancelled, or it cannot be reached. A second call for the same upload ends the first.
   */
  send(uploadId: string, path: string, tunnel?: UploadTunnel): Promise<void>
  /** How the unit reports it among its activities. */
  activity(): ActivityState | undefined
  /** Closes permanently; a running upload is aborted. */
  close(): void
}

export interface UploadSendingOptions {
  coreUrl: string
  tokens: TokenStore
  files: UnitFiles
  /** Absent where every file goes through core. */
  openTunnel?: UnitHardware['openUploadTunnel']
  onChange: () => void
  clock: Clock
}

/** Without an answer of core the same part is repeated after this time, this many times. */
const againAfterMs = 2000
const triesAtMost = 15
/** The time for which the completed state is reported. */
const doneShownMs = 3000

export function createUploadSending(options: UploadSendingOptions): UploadSending {
  const { coreUrl, tokens, files, openTunnel, onChange, clock } = options
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

  async function sendToCore(uploadId: string, file: OpenFile, signal: AbortSignal): Promise<void> {
    const { sizeBytes: of, modifiedMs } = file
    const sum = createFollowingSum(file)
    let taken = 0
    const addressOf = (more: string) =>
      `${uploadAddress(coreUrl, uploadId)}?from=${taken}&of=${of}&modified=${modifiedMs}&verified=1${more}`
    do {
      const part = await file.read(taken, Math.min(UPLOAD_PART_BYTES, of - taken))
      if (part.length === 0 && taken < of) throw new Refused('upload.shorter')
      taken = await put(addressOf(''), part, signal)
      sum.follow(taken)
    } while (taken < of)
    await put(addressOf(`&sha256=${await sum.whole()}`), new Uint8Array(), signal)
  }

  async function sendToServer(tunnel: UploadTunnel, file: OpenFile, signal: AbortSignal): Promise<void> {
    const { sizeBytes, modifiedMs } = file
    const { source = { sizeBytes, modifiedMs } } = tunnel
    if (source.sizeBytes !== sizeBytes || source.modifiedMs !== modifiedMs)
      throw new Refused('upload.changed')
    if (!openTunnel) throw new Refused('upload.serverSilent')
    const { stream, close } = await openTunnel(tunnel, signal)
    try {
      await sendThroughStream(stream, file, signal)
    } finally {
      await close()
    }
  }

  async function sendAll(
    uploadId: string,
    path: string,
    tunnel: UploadTunnel | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const file = await files.open(path)
    try {
      if (tunnel) await sendToServer(tunnel, file, signal)
      else await sendToCore(uploadId, file, signal)
    } finally {
      await file.close()
    }
  }

  return {
    async send(uploadId, path, tunnel) {
      running.get(uploadId)?.abort()
      const own = new AbortController()
      running.set(uploadId, own)
      show({ state: 'uploading', since: clock.nowMs() })
      let after: ActivityState | undefined
      try {
        await sendAll(uploadId, path, tunnel, AbortSignal.any([closing.signal, own.signal]))
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
