// Runs a script of this repository under the Node of .node-version, with programs that it needs:
// `node scripts/with-node.mjs [--with=ffmpeg,chromium] <script> [arguments]`.
import { resolve } from 'node:path'
import { readyAndRun } from './setup.mjs'

const given = process.argv.slice(2)
const programs = given[0]?.startsWith('--with=') ? given.shift().slice('--with='.length).split(',') : []
const [script, ...args] = given
await readyAndRun(resolve(script), args, programs)
