/** Battery icon level and colour (ST-BATT rows, GAP-UNIT-10). */
import { z } from 'zod'

export const Battery = z.object({
  connected: z.boolean(),
  charging: z.boolean(),
  percentage: z.number().min(0).max(100).nullable(),
})
export type Battery = z.infer<typeof Battery>

export type BatteryLevel = 'charging' | '10' | '30' | '50' | '100' | 'unknown'
export type BatteryColour = 'green' | 'yellow' | 'red' | 'grey'

export const batteryThresholds = { greenPercent: 50, yellowPercent: 20, redPercent: 1 } as const

export function batteryLevel(battery: Battery | null | undefined): BatteryLevel {
  if (battery?.charging) return 'charging'
  const percentage = battery?.percentage
  if (percentage === null || percentage === undefined || percentage === 0) return 'unknown'
  if (percentage <= 10) return '10'
  if (percentage <= 30) return '30'
  return percentage <= 50 ? '50' : '100'
}

export function batteryColour(battery: Battery | null | undefined): BatteryColour {
  const percentage = battery?.percentage ?? 0
  if (percentage >= batteryThresholds.greenPercent) return 'green'
  if (percentage >= batteryThresholds.yellowPercent) return 'yellow'
  return percentage >= batteryThresholds.redPercent ? 'red' : 'grey'
}
