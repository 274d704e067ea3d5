// `npm run agent`: prepares the machine, then runs it as a field unit until it is stopped.
import { join } from 'node:path'
import { readyAndRun, root } from './setup.mjs'

await readyAndRun(join(root, 'scripts', 'supervise.ts'), ['agent', ...process.argv.slice(2)], ['ffmpeg'])
