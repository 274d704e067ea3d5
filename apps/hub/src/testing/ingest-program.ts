// Takes files of one channel from an ingest folder: `ingest-program.ts <folder> <data folder> <step>`. It is killed before
// the step with that number: of the calls that change files, in the order in which they are made, from 1 on; 0 is none. In
// place of a number, the path of a file: before it is renamed.
import files from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { createLog } from '@backhaul/runtime/log'
import { watchIngestFolder } from '../files/ingest-folder.ts'

const [folder = '', dataFolder = '', last = ''] = process.argv.slice(2)
let step = 0

for (const name of ['rename', 'rm', 'utimes', 'writeFile'] as const) {
  const change = files[name] as (...args: unknown[]) => Promise<void>
  const changeUnlessLast = async (...args: unknown[]) => {
    step += 1
    const isLast = step === Number(last) || (name === 'rename' && String(args[0]) === last)
    if (isLast) process.kill(process.pid, 'SIGKILL')
    await change(...args)
  }
  Object.assign(files, { [name]: changeUnlessLast })
}
syncBuiltinESMExports()

watchIngestFolder({
  folder,
  dataFolder,
  places: () => [{ channelId: 'ch-1', folder: 'London-1' }],
  onTaken: async () => {},
  settledMs: 500,
  log: createLog({ name: 'ingest', format: 'json', level: 'silent' }),
})
