// The data that a simulated server has received of uploads: the number of bytes, and the bytes themselves while they are few.

/** The largest upload whose bytes are kept; a longer one is only counted. */
const bytesAtMost = 64 * 1024 * 1024

interface Received {
  sizeBytes: number
  pieces: Uint8Array[]
  isComplete: boolean
}

export interface Upload {
  readonly sizeBytes: number
  add(piece: Uint8Array): void
  /** Answers the whole content; undefined where it was only counted. */
  complete(): Buffer | undefined
}

export class KeptUploads {
  /** By upload. */
  readonly #received = new Map<string, Received>()

  sizeOf(uploadId: string): number | 'complete' {
    const { isComplete, sizeBytes } = this.#received.get(uploadId) ?? { isComplete: false, sizeBytes: 0 }
    return isComplete ? 'complete' : sizeBytes
  }

  forget(uploadId: string): void {
    this.#received.delete(uploadId)
  }

  /** Continues after the first `from` bytes of those that are kept. */
  resume(uploadId: string, from: number): Upload {
    const before = Buffer.concat(this.#received.get(uploadId)?.pieces ?? []).subarray(0, from)
    const received: Received = { sizeBytes: from, pieces: [before], isComplete: false }
    this.#received.set(uploadId, received)
    return {
      get sizeBytes() {
        return received.sizeBytes
      },
      add(piece) {
        received.sizeBytes += piece.length
        if (received.sizeBytes > bytesAtMost) received.pieces = []
        else received.pieces.push(piece)
      },
      complete() {
        const bytes = Buffer.concat(received.pieces)
        received.pieces = []
        received.isComplete = true
        return bytes.length === received.sizeBytes ? bytes : undefined
      },
    }
  }
}
