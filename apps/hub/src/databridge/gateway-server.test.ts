// The databridge gateway as core sees it, where another program has its port.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createLog } from '@backhaul/runtime/log'
import { until } from '@backhaul/runtime/testing/until'
import { expect, onTestFinished, test } from 'vitest'
import { openGatewayServer } from './gateway-server.ts'

test('a port that is taken is reported, and opened once it is free', async () => {
  const taken = createSocket('udp4').bind(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address()
  const gateway = openGatewayServer({
    host: '127.0.0.1',
    port,
    allowed: [],
    addresses: [],
    specifications: undefined,
    usage: () => ({ cpuPercent: 0, memoryPercent: 0, storagePercent: 0 }),
    log: createLog({ name: 'hub', format: 'json', write: () => {} }),
  })
  onTestFinished(() => gateway.stop())
  const { facts, sample } = gateway.hardware
  await until(() => sample().failures?.length === 1)
  expect(sample().failures).toMatchObject([
    { type: 'databridgeFailed', cause: { code: 'server.portTaken', params: { port } } },
  ])
  expect(facts().databridgePort).toBeNull()
  taken.close()
  await until(() => facts().databridgePort === port)
  expect(sample().failures).toEqual([])
})
