// `npm start`: prepares the machine, then starts Backhaul.
import { join } from 'node:path'
import { readyAndRun, root } from './setup.mjs'

await readyAndRun(join(root, 'scripts', 'launch.ts'), process.argv.slice(2), ['ffmpeg'])
