// Core, the service of record, as a process: stops on a signal, and prints its address on standard output.
import { failStart } from '@backhaul/runtime/settings'
import { onStop } from '@backhaul/runtime/stop'
import { runCore } from './run.ts'
import { readCoreSettings } from './settings.ts'

try {
  const ready = await runCore({
    settings: readCoreSettings(process.env),
    print: (text) => void process.stderr.write(text),
    stopBy: (log, stop) => void onStop(log, stop),
    onTaken: failStart,
  })
  process.stdout.write(`${JSON.stringify(ready)}\n`)
} catch (error) {
  failStart(error)
}
