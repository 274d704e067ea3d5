import { countUsage } from './usage.ts'

export function usageFeature(needs: Parameters<typeof countUsage>[0]) {
  return { face: countUsage(needs) }
}
