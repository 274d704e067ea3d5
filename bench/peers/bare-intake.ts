/**
 * The peer of the intake: the least that a Node process does to have the newest status of every unit. It reads each message
 * with ws and JSON.parse and keeps it in a Map; nothing is checked, derived or stored. `bare-intake.ts <port>`; it answers
 * the fleet as the gateway does, and any line with the number of statuses so far, and with the bytes that it holds.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { WebSocketServer } from 'ws'
import { answerLines } from '../load/load-program.ts'

const statuses = new Map<number, unknown>()
let units = 0
let taken = 0

const server = new WebSocketServer({
  host: '127.0.0.1',
  port: Number(process.argv[2]),
  perMessageDeflate: false,
})
server.on('connection', (socket) => {
  const unit = units++
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as { type: string }
    if (message.type === 'telemetry') {
      statuses.set(unit, message)
      taken++
    } else if (message.type === 'register') socket.send('{"type":"registered"}')
    else if (message.type === 'hello') socket.send('{"type":"welcome"}')
  })
})
await new Promise<void>((resolve) => server.once('listening', resolve))
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
answerLines(({ isCollecting = false }: { isCollecting?: boolean }) => {
  if (!isCollecting) return { taken }
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return { taken, aliveBytes: heapUsed + external }
})
