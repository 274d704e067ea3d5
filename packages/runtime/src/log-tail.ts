/** The newest lines of a log, kept in memory for requests. */

export interface LogTail {
  /** `slot` names the part of the program that the line is about; without it the line concerns all. */
  note(line: string, slot?: string): void
  /** Oldest line first; all of them, or those that `concerns` selects. */
  text(concerns?: (slot: string | undefined) => boolean): string
}

export function createLogTail(linesAtMost = 4000): LogTail {
  const lines: { line: string; slot: string | undefined }[] = []
  return {
    note(line, slot) {
      lines.push({ line, slot })
      if (lines.length > linesAtMost) lines.shift()
    },
    text: (concerns = () => true) =>
      lines
        .filter(({ slot }) => concerns(slot))
        .map(({ line }) => line)
        .join(''),
  }
}
