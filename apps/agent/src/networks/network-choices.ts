// The networks that operators have chosen for modems, by IMEI: ModemManager does not report them and forgets them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export interface NetworkChoices {
  /** Undefined where the modem chooses. */
  of(imei: string): string | undefined
  choose(imei: string, network: string | undefined): void
}

/** A missing or damaged file counts as empty. */
export function openNetworkChoices(path: string): NetworkChoices {
  const choices = new Map(Object.entries(readChoices(path)))
  return {
    of: (imei) => choices.get(imei),
    choose(imei, network) {
      if (network === undefined) choices.delete(imei)
      else choices.set(imei, network)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, `${JSON.stringify(Object.fromEntries(choices))}\n`)
    },
  }
}

function readChoices(path: string): Record<string, string> {
  try {
    const known = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
    const valid = Object.entries(known).filter(([, code]) => typeof code === 'string') as [string, string][]
    return Object.fromEntries(valid)
  } catch {
    return {}
  }
}
