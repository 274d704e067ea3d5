import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

export const usualDataFolder = 'data/agent'

/** Found before the settings are read: those are of the version that runs, and its files are in this folder. */
export function agentDataFolder(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): string {
  const { values } = parseArgs({ args: [...argv], options: { data: { type: 'string' } }, strict: false })
  const given = typeof values.data === 'string' ? values.data : env.BACKHAUL_DATA
  return resolve(given || usualDataFolder)
}
