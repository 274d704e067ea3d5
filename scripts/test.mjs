// `npm test`: prepares the machine, then runs every test.
import { join } from 'node:path'
import { readyAndRun, root } from './setup.mjs'

await readyAndRun(join(root, 'scripts', 'test.ts'), process.argv.slice(2), [
  'ffmpeg',
  'chromium',
  'postgresql',
  'faketime',
  'NetworkManager',
  'Xvfb',
  'PulseAudio',
])
