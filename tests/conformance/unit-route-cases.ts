/** The receivers of a real agent, and the time during which it retransmits lost packets. */
import { createLinkRelay } from '@backhaul/bonding/testing/link-relay'
import { pause, until } from '../stage/until.ts'
import { openReceivedPicture, sessionKey } from './received-picture.ts'
import { patienceMs } from './shared-cases.ts'
import type { UnitUnderTest } from './unit-under-test.ts'
import type { Look } from './verdicts.ts'

const key = sessionKey.toString('base64')

/** On air, as core does it: another channel is selected together with a transmission that leads to it. */
export const changesChannel: Look<UnitUnderTest> = async (unit) => {
  await unit.goOnAir()
  const id = 'transmission-elsewhere'
  unit.second.admit(id)
  try {
    await unit.want({
      channelId: 'two',
      transmission: { id, channelId: 'two', key, targets: [unit.second.target] },
    })
    const [shown] = await unit.second.shown()
    if (shown !== 'red') throw new Error(`the other channel gets ${shown ?? 'no picture'}`)
    await until('nothing to come to the first channel', () => unit.first.kbps() === 0, patienceMs)
    if (unit.actual().channelId !== 'two') throw new Error(`its channel is ${unit.actual().channelId}`)
    return 'the other channel receives the picture in place of the first'
  } finally {
    await unit.goOffAir()
  }
}

/** The buffer of the receiver, longer than any delay here: a retransmission is never too late for it. */
const bufferMs = 3500
const gapMs = 1000

/** The receiver gets nothing for a moment: packets that it loses permanently, and those that the unit sends again. */
async function losesInGap(
  unit: UnitUnderTest,
  delayMs: number,
): Promise<{ lost: number; recovered: number }> {
  const picture = await openReceivedPicture(unit.ffmpegPath, bufferMs)
  const { host, port } = picture.target
  const relay = await createLinkRelay({ targetHost: host, targetPort: port })
  const id = `transmission-within-${delayMs}`
  picture.admit(id)
  try {
    const targets = [{ host: relay.host, port: relay.port }]
    await unit.want({ channelId: 'one', transmission: { id, channelId: 'one', key, targets } })
    await picture.next()
    await unit.want({ delayMs })
    // Losses of the beginning are counted by then: they are not those of the gap.
    await pause(bufferMs)
    const before = picture.losses()
    relay.blackHole()
    await pause(gapMs)
    relay.restore()
    // All of the gap is due by then.
    await pause(bufferMs + gapMs)
    await picture.next()
    const after = picture.losses()
    return { lost: after.lost - before.lost, recovered: after.recovered - before.recovered }
  } finally {
    await unit.goOffAir()
    await unit.want({ delayMs: 1000 })
    await relay.close()
    await picture.close()
  }
}

export const repairsWithin: Look<UnitUnderTest> = async (unit) => {
  await unit.goOffAir()
  const [short, long] = [await losesInGap(unit, 300), await losesInGap(unit, 3000)]
  if (short.lost === 0 || long.lost > 0 || long.recovered === 0)
    throw new Error(`${short.lost} packets are lost with 300 ms, ${long.lost} with 3000`)
  return `of a gap of ${gapMs} ms ${short.lost} packets are lost with 300 ms, none of ${long.recovered} with 3000`
}
