// `npm run agent`: prepares the machine, then runs it as a field unit until it is stopped.
import { join } from 'node:path'
import { isRelease, readyAndRun, root } from './setup.mjs'

const agent = join(root, 'apps', 'agent', isRelease ? 'dist/main.js' : 'src/main.ts')
await readyAndRun(join(root, 'scripts', 'supervise.ts'), [agent, ...process.argv.slice(2)], ['ffmpeg'])
