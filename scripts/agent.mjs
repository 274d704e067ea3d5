// `npm run agent`: readies the machine, then makes it a field unit.
import { join } from 'node:path'
import { readyAndRun, root } from './setup.mjs'

await readyAndRun(join(root, 'apps', 'agent', 'src', 'main.ts'), process.argv.slice(2), ['ffmpeg'])
