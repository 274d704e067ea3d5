/** The working modes of a real agent: outside those of video no picture leaves it, and its databridge runs in those that have one. */
import { until } from '../stage/until.ts'
import { freePort } from './free-port.ts'
import { sessionKey } from './received-picture.ts'
import { patienceMs } from './shared-cases.ts'
import { bridges } from './unit-databridge-case.ts'
import type { UnitUnderTest } from './unit-under-test.ts'

export async function worksAs(unit: UnitUnderTest): Promise<string> {
  const isRefused = () => unit.actual().failureCause?.code === 'workingMode.noVideo'
  await unit.goOnAir()
  try {
    await unit.want({ settings: { workingMode: 'databridge' } })
    await until('the picture to end', () => unit.first.kbps() === 0, patienceMs)
    // The transmission is still wanted, and the unit reports why it does not start.
    await unit.want({ disabledLinks: [] })
    await until('the refusal of the transmission', isRefused, patienceMs)
    if (unit.actual().workingMode !== 'databridge') throw new Error(`it is in ${unit.actual().workingMode}`)
    await unit.goOffAir()
    await bridges(unit)
    await unit.want({ settings: { workingMode: 'fetchlogs' } })
    await hasNoDatabridge(unit)
  } finally {
    await unit.goOffAir()
    await unit.want({ settings: { workingMode: 'video' } })
  }
  await unit.goOnAir()
  const [shown] = await unit.first.shown()
  if (shown !== 'red') throw new Error(`the picture is ${shown}`)
  return 'with databridge the picture ends and bytes are bridged, with fetchlogs neither, with video it comes again'
}

async function hasNoDatabridge(unit: UnitUnderTest): Promise<void> {
  const answer = await unit
    .want({
      databridge: {
        id: 'bridge-2',
        gatewayId: 'gateway-1',
        key: sessionKey.toString('base64'),
        targets: [unit.first.target],
        ports: [{ protocol: 'tcp', port: await freePort() }],
      },
    })
    .then(
      () => 'followed',
      (error: Error) => error.message,
    )
    .finally(() => unit.want({ databridge: null }))
  if (!answer.includes('in its working mode')) throw new Error(`the databridge was ${answer}`)
}
