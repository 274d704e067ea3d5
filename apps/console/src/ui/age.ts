/** A value is stale after two of its reporting intervals without a new one. */
export function isStale(atMs: number, intervalMs: number, nowMs: number): boolean {
  return nowMs - atMs > 2 * intervalMs
}

export function ageParts(ms: number): { unit: 'seconds' | 'minutes' | 'hours' | 'days'; count: number } {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 120) return { unit: 'seconds', count: seconds }
  if (seconds < 7200) return { unit: 'minutes', count: Math.floor(seconds / 60) }
  if (seconds < 172_800) return { unit: 'hours', count: Math.floor(seconds / 3600) }
  return { unit: 'days', count: Math.floor(seconds / 86_400) }
}
