/** The simulator: a fleet of units and servers in one process, connected to core through the gateway like real ones. */
import { systemClock } from '@backhaul/runtime/clock'
import { openDataFolder } from '@backhaul/runtime/data-folder'
import { createLog } from '@backhaul/runtime/log'
import { failStart } from '@backhaul/runtime/settings'
import { onStop } from '@backhaul/runtime/stop'
import { listenToOperator } from './control.ts'
import { openFileContent } from './hardware/file-content.ts'
import { startDesks } from './operator/desk.ts'
import { readSimulatorSettings } from './settings.ts'
import { createSimulator } from './simulator.ts'

const reportEveryMs = 60_000

try {
  await start()
} catch (error) {
  failStart(error)
}

async function start(): Promise<void> {
  const settings = readSimulatorSettings(process.env, process.argv.slice(2))
  const { logFormat, scenario, coreUrl, seed } = settings
  const log = createLog({ name: 'simulator', format: logFormat })
  openDataFolder(settings.dataFolder, 'simulator')
  const content = await openFileContent(settings, log)
  const simulator = createSimulator({ ...settings, content }, systemClock, log)
  const { world, fleet } = simulator
  const desks = settings.desks
    ? startDesks({
        coreUrl,
        seed,
        password: settings.demoPassword,
        liveShare: world.liveShare,
        fleet,
        clock: systemClock,
        log,
      })
    : undefined
  const obey = listenToOperator(world, log)
  if (scenario) obey(scenario)
  const reporting = setInterval(
    () => log.info({ count: simulator.connectedCount() }, 'devices connected'),
    reportEveryMs,
  )
  onStop(log, async () => {
    clearInterval(reporting)
    desks?.stop()
    await simulator.stop()
    await content?.door.stop()
  })
  log.info({ units: fleet.units.length, servers: fleet.servers.length, seed }, 'connecting the fleet')
  process.stdout.write(`${JSON.stringify({ ready: true })}\n`)
}
