// `npm run hub`: prepares the machine, then runs it as a receiving server until it is stopped.
import { join } from 'node:path'
import { isRelease, readyAndRun, root } from './setup.mjs'

const hub = join(root, 'apps', 'hub', isRelease ? 'dist/main.js' : 'src/main.ts')
await readyAndRun(join(root, 'scripts', 'supervise.ts'), [hub, ...process.argv.slice(2)], ['ffmpeg'])
