/** ffmpeg's report about the last period. */
export interface Progress {
  readonly frames: number
  readonly framesPerSecond: number
  /** Undefined while ffmpeg does not know it. */
  readonly bitrateKbps: number | undefined
  readonly outTimeMs: number
  /** Undefined where ffmpeg does not count what it writes. */
  readonly sizeBytes: number | undefined
  readonly duplicatedFrames: number
  readonly droppedFrames: number
  /** Speed against real time, 1 = keeps up. */
  readonly speed: number | undefined
  readonly ended: boolean
}

const progressLine = /^([a-z0-9_]+)=\s*(\S.*?)\s*$/

/**
 * Takes the lines of `-progress` (key=value, a block ends with `progress=`). `push` returns false for a line that is
 * not of this kind, which is then a message of ffmpeg.
 */
export function createProgressParser(onProgress: (progress: Progress) => void) {
  let block = new Map<string, string>()
  const number = (key: string) => {
    const value = Number.parseFloat(block.get(key) ?? '')
    return Number.isFinite(value) ? value : undefined
  }
  return {
    push(line: string): boolean {
      const [, key, value] = progressLine.exec(line) ?? []
      if (key === undefined || value === undefined) return false
      block.set(key, value)
      if (key !== 'progress') return true
      onProgress({
        frames: number('frame') ?? 0,
        framesPerSecond: number('fps') ?? 0,
        bitrateKbps: number('bitrate'),
        outTimeMs: (number('out_time_us') ?? 0) / 1000,
        sizeBytes: number('total_size'),
        duplicatedFrames: number('dup_frames') ?? 0,
        droppedFrames: number('drop_frames') ?? 0,
        speed: number('speed'),
        ended: value === 'end',
      })
      block = new Map()
      return true
    },
  }
}
