// `npm run agent`: readies the machine, then makes it a field unit for as long as it is wanted.
import { join } from 'node:path'
import { readyAndRun, root } from './setup.mjs'

const agent = join(root, 'apps', 'agent', 'src', 'main.ts')
await readyAndRun(join(root, 'scripts', 'supervise.ts'), [agent, ...process.argv.slice(2)], ['ffmpeg'])
