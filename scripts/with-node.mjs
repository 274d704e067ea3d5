// Runs a script of this repository under the Node of .node-version: `node scripts/with-node.mjs <script> [arguments]`.
import { resolve } from 'node:path'
import { readyAndRun } from './setup.mjs'

const [script, ...args] = process.argv.slice(2)
await readyAndRun(resolve(script), args, [])
