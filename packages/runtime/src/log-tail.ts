/** The newest lines of a log, kept in memory for whoever asks for them. */

export interface LogTail {
  note(line: string): void
  /** Oldest line first. */
  text(): string
}

export function createLogTail(linesAtMost = 4000): LogTail {
  const lines: string[] = []
  return {
    note(line) {
      lines.push(line)
      if (lines.length > linesAtMost) lines.shift()
    },
    text: () => lines.join(''),
  }
}
