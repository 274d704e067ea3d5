import { bindPortPair } from '@backhaul/bonding/port-pair'
import { createSender } from '@backhaul/bonding/sender'
import { createLog } from '@backhaul/runtime/log'
import { until } from '@backhaul/runtime/testing/until'
import { expect, test } from 'vitest'
import { createBondedIntake } from './bonded.ts'

test('a transmission is received on the held ports, then the next, and none after the last', async () => {
  const holder = await bindPortPair('127.0.0.1', 0)
  const taken = holder.port
  let received = 0
  let port = 0
  const intake = createBondedIntake({
    host: '127.0.0.1',
    port: taken,
    onData: (payload) => {
      received += payload.length
    },
    onMoved: (found) => {
      port = found
    },
    log: createLog({ name: 'hub', format: 'json', level: 'silent' }),
  })
  await until(() => port > 0)
  for (const transmissionId of ['t-1', 't-2']) {
    const key = Buffer.alloc(32, transmissionId)
    const links = [{ id: 'a', remoteHost: '127.0.0.1', remotePort: port }]
    const sender = createSender({ sessionId: transmissionId, key, bufferMs: 200, links })
    const timer = setInterval(() => sender.push(Buffer.alloc(1316, 0x47)), 20)
    const before = received
    intake.apply({ transmissionId, unitId: 'u-1', key: key.toString('base64'), bufferMs: 200 })
    await until(() => received > before + 13_160)
    expect(intake.figures().bufferMs).toBeGreaterThan(0)
    intake.apply(null)
    const last = received
    expect(intake.figures()).toEqual({ recovered: 0, uncorrected: 0, bufferMs: 0 })
    clearInterval(timer)
    sender.close()
    expect(received).toBe(last)
  }
  await intake.stop()
  holder.media.close()
  holder.control.close()
})
