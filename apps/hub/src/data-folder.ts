import { resolve } from 'node:path'

/** Found before the settings are read: those are of the version that runs, and its files are in this folder. */
export const hubDataFolder = (env: Readonly<Record<string, string | undefined>>): string =>
  resolve(env.BACKHAUL_DATA || 'data/hub')
