/**
 * `npm run conformance -- agent|hub|simulator [words]`: drives a device through everything that the contract has for its kind,
 * or through the rows with these words, checks the effects, and prints a table. The exit code is 0 when nothing is wrong.
 */
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { judgeAgent, judgeHub, judgeSimulator } from './devices.ts'
import { lineOf, totalsOf, type Verdict } from './verdicts.ts'

const kinds = { agent: judgeAgent, hub: judgeHub, simulator: judgeSimulator }
const isKind = (word = ''): word is keyof typeof kinds => Object.hasOwn(kinds, word)

const [kind, ...words] = process.argv.slice(2)
const ffmpegPath = findFfmpeg() ?? ''
if (!isKind(kind)) {
  console.error('Name the device: npm run conformance -- agent|hub|simulator')
  process.exit(2)
}
if (!ffmpegPath && kind !== 'simulator') {
  console.error('ffmpeg was not found: effects cannot be checked')
  process.exit(2)
}
const onVerdict = (verdict: Verdict) => console.log(lineOf(verdict))
const verdicts = await kinds[kind]({ ffmpegPath, words, onVerdict })
console.log(`\n${totalsOf(verdicts)}`)
process.exit(verdicts.some(({ state }) => state === 'wrong') ? 1 : 0)
