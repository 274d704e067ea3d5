import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { openPortRelay } from './port-relay.ts'

async function opened(): Promise<Socket> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return socket
}

test('packets of a program arrive from the chosen port, and the answer comes back to it', async () => {
  const [program, target, taken] = [await opened(), await opened(), await opened()]
  const sourcePort = taken.address().port
  const place = { host: '127.0.0.1', port: target.address().port }
  // While another program has the port there is no relay.
  const early = openPortRelay({ ...place, sourcePort })
  await expect(early.ready).rejects.toThrow('EADDRINUSE')
  early.close()
  taken.close()
  const relay = openPortRelay({ ...place, sourcePort })
  program.send('there', await relay.ready, '127.0.0.1')
  const [there, from] = await once(target, 'message')
  expect([String(there), from.port]).toEqual(['there', sourcePort])
  target.send('and back', from.port, '127.0.0.1')
  const [back] = await once(program, 'message')
  expect(String(back)).toBe('and back')
  relay.close()
  for (const socket of [program, target]) socket.close()
})
