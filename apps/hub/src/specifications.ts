// The machine that the hub runs on, read when the hub starts.
import { statfsSync } from 'node:fs'
import { cpus, hostname, release, totalmem, type } from 'node:os'
import type { ServerSpecifications } from '@backhaul/contract/nouns/servers'

const BYTES_PER_MB = 1_000_000

/** The storage is the one that holds the folder. */
export function readSpecifications(dataFolder: string): ServerSpecifications {
  const processors = cpus()
  const { blocks, bsize } = statfsSync(dataFolder)
  return {
    hostName: hostname(),
    operatingSystem: `${type()} ${release()}`,
    processor: processors[0]?.model.trim() ?? '',
    cores: processors.length,
    memoryMb: Math.round(totalmem() / BYTES_PER_MB),
    storageMb: Math.round((blocks * bsize) / BYTES_PER_MB),
  }
}
