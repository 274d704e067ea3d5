// `node pass-on-main.ts <from> <to>`: passes on what comes to a place, each as JSON, in the network namespace of this process.
import { type Place, passOn } from './pass-on.ts'

const [from, to] = process.argv.slice(2).map((text) => JSON.parse(text) as Place)
if (from && to) await passOn(from, to)
console.log('listening')
