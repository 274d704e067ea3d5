import { setImmediate } from 'node:timers/promises'
import { bindPortPair } from '@backhaul/bonding/port-pair'
import { createSender } from '@backhaul/bonding/sender'
import { createLog } from '@backhaul/runtime/log'
import { until } from '@backhaul/runtime/testing/until'
import { expect, test } from 'vitest'
import { createBondedIntake } from './bonded.ts'
import { createReceivers } from './receivers.ts'

test.for([
  ['here', 1],
  ['on a thread of its own', 0],
] as const)(
  'a transmission is received %s on the held ports, then the next, and none after the last',
  async ([, mostHere]) => {
    const receivers = createReceivers(mostHere)
    const holder = await bindPortPair('127.0.0.1', 0)
    const taken = holder.port
    let received = 0
    let port = 0
    const intake = createBondedIntake({
      host: '127.0.0.1',
      port: taken,
      openReceiver: receivers.open,
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
      await until(() => intake.figures().bufferMs > 0)
      intake.apply(null)
      const last = received
      expect(intake.figures()).toEqual({ recovered: 0, uncorrected: 0, bufferMs: 0 })
      clearInterval(timer)
      sender.close()
      // Data still on its way from another thread no longer belongs to this transmission.
      await setImmediate()
      expect(received).toBe(last)
    }
    await intake.stop()
    await receivers.stop()
    holder.media.close()
    holder.control.close()
  },
)
