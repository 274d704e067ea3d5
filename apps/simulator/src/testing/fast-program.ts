// The simulator as a program whose time runs faster than that of its machine: `<how many times> [options of the simulator]`.
import { type Clock, systemClock } from '@backhaul/runtime/clock'
import { openDataFolder } from '@backhaul/runtime/data-folder'
import { createLog } from '@backhaul/runtime/log'
import { onStop } from '@backhaul/runtime/stop'
import { readSimulatorSettings } from '../settings.ts'
import { createSimulator } from '../simulator.ts'

const [times, ...args] = process.argv.slice(2)
const settings = readSimulatorSettings(process.env, args)
const log = createLog({ name: 'simulator', format: settings.logFormat })
openDataFolder(settings.dataFolder, 'simulator')
const simulator = createSimulator(settings, fasterClock(Number(times)), log)
onStop(log, simulator.stop)

function fasterClock(times: number): Clock {
  const { nowMs, monotonicMs, setTimeout, setInterval, clearTimeout, clearInterval } = systemClock
  const startMs = nowMs() - monotonicMs() * times
  return {
    nowMs: () => Math.round(startMs + monotonicMs() * times),
    monotonicMs: () => monotonicMs() * times,
    setTimeout: (run, delayMs) => setTimeout(run, delayMs / times),
    setInterval: (run, periodMs) => setInterval(run, periodMs / times),
    clearTimeout,
    clearInterval,
  }
}
