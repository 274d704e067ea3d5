// The port of IP pipes as core sees it, where another program has it. Needs the right to add interfaces.
import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { tapFault } from '@backhaul/runtime/ethernet-tap'
import { createLog } from '@backhaul/runtime/log'
import { until } from '@backhaul/runtime/testing/until'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openIpPipeServer } from './ip-pipe-server.ts'

const bridge = `bhp${process.pid}`
const ip = (...args: string[]) => spawnSync('ip', args).status === 0
const canRun = ip('link', 'add', bridge, 'type', 'bridge') && (await tapFault(bridge)) === undefined
afterAll(() => void ip('link', 'del', bridge))

test.runIf(canRun)('a port that is taken is reported, and opened once it is free', async () => {
  const taken = createSocket('udp4').bind(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address()
  const log = createLog({ name: 'hub', format: 'json', write: () => {} })
  const pipes = await openIpPipeServer({ host: '127.0.0.1', networks: [bridge], log })
  onTestFinished(() => pipes?.stop())
  await pipes?.apply({ ipPipe: { enabled: true, interface: bridge, port } })
  await until(() => pipes?.failures().length === 1)
  expect(pipes?.failures()).toMatchObject([
    { type: 'ipPipeFailed', cause: { code: 'server.portTaken', params: { port } } },
  ])
  expect(pipes?.facts().ipPipePort).toBeNull()
  taken.close()
  await until(() => pipes?.facts().ipPipePort === port)
  expect(pipes?.failures()).toEqual([])
})
