// `npm run hub`: prepares the machine, then runs it as a receiving server until it is stopped.
import { join } from 'node:path'
import { readyAndRun, root } from './setup.mjs'

await readyAndRun(join(root, 'scripts', 'supervise.ts'), ['hub', ...process.argv.slice(2)], ['ffmpeg'])
