/** "14:59" of a time in ms, in whole seconds begun; undefined when nothing is left. */
export function leftText(leftMs: number): string | undefined {
  if (leftMs <= 0) return undefined
  const seconds = Math.ceil(leftMs / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
