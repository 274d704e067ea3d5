/** Local control: a line on standard input, or SIGUSR2, starts a scenario. */

import { createLineSplitter } from '@backhaul/runtime/line-splitter'
import type { Log } from '@backhaul/runtime/log'
import type { ScenarioName } from './scenarios/scenario.ts'
import { isScenarioName, scenarios } from './scenarios/scenarios.ts'
import type { World } from './world.ts'

/**
 * Lines: `<scenario>`, `<scenario> <unit, server, carrier or city code>`, `end`. SIGUSR2 starts the scenario after the one that was
 * started last, in the order of the list; for a simulator whose standard input belongs to its launcher.
 */
export function listenToOperator(world: World, log: Log): (line: string) => void {
  const names = Object.keys(scenarios) as ScenarioName[]
  let next = 0

  function begin(name: ScenarioName, named?: string): void {
    const { units, servers, carrier } = world.begin(name, named)
    next = (names.indexOf(name) + 1) % names.length
    log.info({ scenario: name, units: [...units], servers: [...servers], carrier }, scenarios[name].summary)
  }

  function obey(line: string): void {
    const [name = '', ...rest] = line.trim().split(/\s+/)
    if (name === 'end') world.end()
    else if (isScenarioName(name)) begin(name, rest.join(' ') || undefined)
    else log.warn(`Unknown scenario, use one of: ${names.join(', ')}, end`)
  }

  const lines = createLineSplitter(obey)
  process.stdin.on('data', (chunk) => lines.push(chunk))
  // A closed standard input does not end a simulator without a launcher.
  process.stdin.on('error', () => {})
  process.on('SIGUSR2', () => begin(names[next] ?? 'tunnel'))
  return obey
}
