/** Matches of the palette for the typed text: every word must be found, and a beginning counts more than a middle. */

export interface Command {
  id: string
  /** Heading above it. */
  group: string
  label: string
  /** Small words at the end of the line: a state, a customer. */
  hint?: string
  keys?: readonly string[]
  /** Never offered before another: a command that ends the work is not to be met by a typed beginning and Enter. */
  isLast?: boolean
  run: () => void
}

const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

function rank(label: string, words: readonly string[]): number {
  const starts = label.split(/[\s\-_.]+/)
  let sum = 0
  for (const word of words) {
    if (label.startsWith(word)) sum += 3
    else if (starts.some((start) => start.startsWith(word))) sum += 2
    else if (label.includes(word)) sum += 1
    else return 0
  }
  return sum
}

/** At most `limit` commands; groups are kept together in the order of their best command. */
export function findCommands(commands: readonly Command[], typed: string, limit: number): Command[] {
  const words = fold(typed).split(/\s+/).filter(Boolean)
  if (words.length === 0) return commands.slice(0, limit)
  const found = commands
    .map((command) => ({ command, rank: rank(fold(`${command.label} ${command.hint ?? ''}`), words) }))
    .filter((one) => one.rank > 0)
    .sort((a, b) => Number(a.command.isLast ?? false) - Number(b.command.isLast ?? false) || b.rank - a.rank)
    .slice(0, limit)
    .map(({ command }) => command)
  const groups = [...new Set(found.map(({ group }) => group))]
  return groups.flatMap((group) => found.filter((command) => command.group === group))
}
