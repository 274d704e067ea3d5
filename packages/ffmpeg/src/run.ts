import { type ChildOptions, type SupervisedChild, superviseChild } from '@backhaul/runtime/child-process'
import { createProgressParser, type Progress } from './progress.ts'

export interface FfmpegOptions extends Omit<ChildOptions, 'command' | 'onStderrLine'> {
  path: string
  onProgress?: (progress: Progress) => void
  /** A message of ffmpeg (warning or worse with the arguments of this package). */
  onMessage?: (line: string) => void
}

/** Runs ffmpeg as a supervised child; `args` come from the builders of this package, with `-progress pipe:2`. */
export function runFfmpeg({ path, onProgress, onMessage, ...rest }: FfmpegOptions): SupervisedChild {
  const progress = createProgressParser((news) => onProgress?.(news))
  return superviseChild({
    ...rest,
    command: path,
    onStderrLine: (line) => {
      if (!progress.push(line)) onMessage?.(line)
    },
  })
}
