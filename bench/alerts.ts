/** The cost of active alerts: the same units send to the same core, in turns with and without cause for an alert each. */
import type { Bench, BenchResult, Row } from './bench-result.ts'
import { median, rounded } from './figures.ts'
import { makeFor, openCore, sendFor } from './intake.ts'

const devices = 3000
const secondsOfARun = 6
const turns = 3
const goal = 1.3

export const benchAlerts: Bench = async (stack): Promise<BenchResult> => {
  const core = await openCore(stack)
  await core.fleet.request({ grow: devices })
  // The first status of each kind raises or clears; the cost of an active alert is measured.
  const costs = { quiet: [] as number[], alarming: [] as number[] }
  for (let turn = 0; turn < turns; turn++) {
    for (const kind of ['quiet', 'alarming'] as const) {
      await sendFor(core, 2, kind === 'alarming')
      await makeFor(core, secondsOfARun, kind === 'alarming')
      costs[kind].push((await sendFor(core, secondsOfARun, kind === 'alarming')).cpuMsPer1k)
    }
  }
  const [quiet, alarming] = [median(costs.quiet), median(costs.alarming)]
  const row = (who: string, cost: number): Row => ({ who, 'CPU µs a status': rounded(cost) })
  return {
    name: 'intake-alerts',
    title: '(a2) Device status intake with standing alerts',
    setting: `${devices} units, one status of six links a second each; ${turns} turns of ${secondsOfARun} s without and with a battery at 8 % in every status, medians.`,
    tables: [{ caption: 'Cost', rows: [row('no alert', quiet), row('an alert on every unit', alarming)] }],
    ratios: [
      {
        id: 'intake-alerts',
        what: 'CPU a status with a standing alert, relative to one without',
        ratio: alarming / quiet,
        lowerIsBetter: true,
        goal,
      },
    ],
    remarks: ['The peer is core itself: the same units, without alerts, in the same run.'],
  }
}
