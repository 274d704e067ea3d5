// One unit at two channels: the hub sends on what the first of them receives.
import { createSender } from '@backhaul/bonding/sender'
import type { WantedCopy } from '@backhaul/contract/gateway/servers'
import { until } from '@backhaul/runtime/testing/until'
import { expect, test } from 'vitest'
import { runHub, sendByFfmpeg, wantedChannel } from '../testing/running-hub.ts'

const transmissionId = 't-1'
const keys = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const
const intakeOf = (key: Buffer) => ({
  transmissionId,
  unitId: 'u-1',
  key: key.toString('base64'),
  bufferMs: 300,
})

test('a machine gets the picture of the channel without a loss, until it is no longer wanted', async () => {
  const hub = await runHub({ bonded: 2 })
  const [first, second] = ['bonded-1', 'bonded-2'] as const
  const link = { id: 'modem', remoteHost: '127.0.0.1', remotePort: hub.ristPort(first) }
  const unit = createSender({ sessionId: transmissionId, links: [link], bufferMs: 300, key: keys[0] })
  const source = sendByFfmpeg(['-f', 'mpegts', 'pipe:1'], (chunk) => unit.push(chunk))
  const apply = (copies: WantedCopy[]) =>
    hub.hardware.apply(
      {
        channels: [
          wantedChannel(first, { intake: intakeOf(keys[0]), copies }),
          wantedChannel(second, { intake: intakeOf(keys[1]) }),
        ],
      },
      new AbortController().signal,
    )
  const copy: WantedCopy = {
    channelId: 'channel-of-bonded-2',
    transmissionId,
    key: keys[1].toString('base64'),
    targets: [{ host: '127.0.0.1', port: hub.ristPort(second) }],
    bufferMs: 300,
  }
  const statusOf = (slot: string) => hub.channel(`channel-of-${slot}`)?.status
  const collects = (slot: string) => {
    const now = hub.channel(`channel-of-${slot}`)
    return now?.status === 'collecting' && now.video && now.kbps > 200 ? now : undefined
  }
  try {
    await apply([])
    await until(() => collects(first))
    expect(statusOf(second)).toBe('connecting')
    await apply([copy])
    const machine = await until(() => collects(second))
    expect(machine).toMatchObject({ transmissionId, continuityErrors: 0, video: { width: 640 } })
    // Another time for repairs does not interrupt it.
    await apply([{ ...copy, bufferMs: 500 }])
    const later = hub.channel('channel-of-bonded-2')?.continuityErrors
    expect([statusOf(second), later]).toEqual(['collecting', 0])
    await apply([{ ...copy, key: Buffer.alloc(32, 3).toString('base64') }])
    await until(() => statusOf(second) === 'connecting')
    await apply([copy])
    await until(() => collects(second))
    await apply([])
    await until(() => statusOf(second) === 'connecting')
    expect(collects(first)).toMatchObject({ continuityErrors: 0 })
  } finally {
    unit.close()
    source.stop()
    await hub.stop()
  }
})
