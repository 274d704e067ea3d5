import { createLog } from '@backhaul/runtime/log'
import { until } from '@backhaul/runtime/testing/until'
import { everyFrame } from '@backhaul/speech/pace'
import { openSpeechPort } from '@backhaul/speech/speech-port'
import { expect, test } from 'vitest'
import { openRoomUnits } from './room-units.ts'

test('turns are taken while there is a listener', async () => {
  let turns = 0
  const units = await openRoomUnits({
    host: '127.0.0.1',
    port: 0,
    onSpoken: () => {},
    onLeft: () => {},
    onTurn: () => turns++,
    log: createLog({ name: 'test', format: 'json', level: 'silent' }),
  })
  let passed = 0
  const end = everyFrame(() => passed++)
  const tenTurns = () => {
    const before = passed
    return until(() => passed > before + 10)
  }
  await tenTurns()
  expect(turns).toBe(0)
  units.listen(new Set())
  await until(() => turns > 5)
  units.listen(undefined)
  const ended = turns
  await tenTurns()
  expect(turns).toBe(ended)
  units.apply([{ id: 'one', roomId: 'room', unitId: 'unit', key: Buffer.alloc(32).toString('base64') }])
  await until(() => turns > ended + 5)
  end()
  await units.stop()
})

test('a port that is taken is replaced by a free one, and one line of the log names both', async () => {
  const holder = await openSpeechPort('127.0.0.1', 0)
  const lines: string[] = []
  const units = await openRoomUnits({
    host: '127.0.0.1',
    port: holder.port,
    onSpoken: () => {},
    onLeft: () => {},
    onTurn: () => {},
    log: createLog({ name: 'test', format: 'pretty', write: (line) => lines.push(line) }),
  })
  expect(units.port.port).not.toBe(holder.port)
  expect(lines.map((line) => line.slice(9))).toEqual([
    `test warn  another port for speech of units is open port=${holder.port} instead=${units.port.port} ` +
      `reason=Another program of the server uses port ${holder.port}.\n`,
  ])
  await units.stop()
  await holder.close()
})
