// Both ends of a bond as programs of their own, for tests that run them in network namespaces:
// `receive <host> <port>`, `send <host> <port> held|byRoute`. The sender reports its links as lines of JSON.
import { createReceiver } from '@backhaul/bonding/receiver'
import { createSender } from '@backhaul/bonding/sender'
import { systemClock } from '@backhaul/runtime/clock'
import { createLog } from '@backhaul/runtime/log'
import { createBondedLinks } from '../bonded-links.ts'
import { usableInterfaces } from '../hardware/interfaces.ts'
import { createLinkHolder } from '../link-holder.ts'
import { followLinks } from '../links.ts'

const session = { sessionId: 'namespaces', key: Buffer.alloc(32, 3), bufferMs: 500 }
const periodMs = 100

const [role, host = '', portText = '', way] = process.argv.slice(2)
const port = Number(portText)

if (role === 'receive') {
  const receiver = await createReceiver({ bindHost: host, port, ...session })
  process.stdout.write(`${JSON.stringify({ port: receiver.port })}\n`)
} else send()

function send(): void {
  const clock = systemClock
  const log = createLog({ name: 'bond', format: 'json', level: 'silent' })
  const sender = createSender({ links: [], ...session })
  const openHeld = way === 'held' ? {} : { openHeld: () => Promise.reject(new Error('not here')) }
  const bonded = createBondedLinks(
    sender,
    [{ host, port }],
    createLinkHolder(Object.assign({ clock, log }, openHeld)),
  )
  const ports = ['wwan1', 'wwan2']
  const links = followLinks({
    scan: () => usableInterfaces(),
    assignments: { portOf: (id) => ports.indexOf(id) },
    clock,
    onChange: () => setImmediate(() => useLinks()),
  })
  const useLinks = () => bonded.use(links.usable(), clock.monotonicMs())
  const packet = Buffer.alloc(188, 0xff)
  packet.set([0x47, 0x1f, 0xff, 0x10])
  const payload = Buffer.concat(Array.from({ length: 7 * 20 }, () => packet))
  setInterval(() => {
    sender.push(payload)
    bonded.watch(clock.monotonicMs())
    const up = sender.stats().links.filter((link) => link.up)
    process.stdout.write(`${JSON.stringify({ up: up.map(({ id }) => id) })}\n`)
  }, periodMs)
}
