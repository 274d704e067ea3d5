import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '@backhaul/runtime/log'
import { createLogTail } from '@backhaul/runtime/log-tail'
import { signalProcess } from '@backhaul/runtime/testing/processes'
import { until } from '@backhaul/runtime/testing/until'
import { beforeEach, expect, test } from 'vitest'
import { createTallyLamp } from './tally-lamp.ts'

let folder: string
let logs: ReturnType<typeof createLogTail>
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backhaul-tally-'))
  logs = createLogTail()
})

const lampOf = (options: { command?: string; led?: string; commandMs?: number }) => {
  const log = createLog({ name: 'agent', format: 'json', write: () => {}, tail: logs })
  return createTallyLamp({ command: undefined, led: undefined, ledFolder: folder, log, ...options })
}
const wordsIn = (file: string) => readFileSync(file, 'utf8').trim().split('\n')

test('the command of the owner is run with the state, from off at the start on', async () => {
  const shown = join(folder, 'shown')
  const lamp = lampOf({ command: `printf '%s\\n' >> '${shown}'` })
  await lamp?.settled()
  expect(wordsIn(shown)).toEqual(['off'])
  lamp?.show(true)
  await lamp?.settled()
  expect(wordsIn(shown)).toEqual(['off', 'on'])
})

test('while the command runs only the newest state waits, so that a slow one is not behind for long', async () => {
  const [shown, gate] = [join(folder, 'shown'), join(folder, 'gate')]
  writeFileSync(shown, '')
  const command = `while [ ! -e '${gate}' ]; do sleep 0.02; done; printf '%s\\n' >> '${shown}'`
  const lamp = lampOf({ command })
  for (let at = 0; at < 50; at++) lamp?.show(at % 2 === 0)
  lamp?.show(true)
  writeFileSync(gate, '')
  await lamp?.settled()
  expect(wordsIn(shown)).toEqual(['off', 'on'])
})

test('a command that fails is logged with its reason, and the next state is still shown', async () => {
  const shown = join(folder, 'shown')
  const lamp = lampOf({
    command: `[ -e '${shown}' ] || { echo no-relay >&2; exit 3; }; printf '%s\\n' >> '${shown}'`,
  })
  await lamp?.settled()
  expect(logs.text()).toContain('tally: light not switched off')
  expect(logs.text()).toContain('no-relay')
  writeFileSync(shown, '')
  lamp?.show(true)
  await lamp?.settled()
  expect(wordsIn(shown)).toEqual(['on'])
})

test('a command that hangs is ended, and one that leaves a program running is not waited for', async () => {
  const shown = join(folder, 'shown')
  const lamp = lampOf({
    command: `[ -e '${shown}' ] || sleep 600; sleep 600 & printf '%s %s\n' $! >> '${shown}'`,
    commandMs: 300,
  })
  await lamp?.settled()
  expect(logs.text()).toContain('not ended after 300 ms')
  writeFileSync(shown, '')
  lamp?.show(true)
  await lamp?.settled()
  const [[pid, word] = []] = wordsIn(shown).map((line) => line.split(' '))
  expect(word).toBe('on')
  signalProcess(Number(pid), 'SIGTERM')
})

test('an LED is set to its highest brightness and to zero', async () => {
  const led = join(folder, 'red:tally')
  mkdirSync(led)
  writeFileSync(join(led, 'brightness'), '17')
  writeFileSync(join(led, 'max_brightness'), '255\n')
  const lamp = lampOf({ led: 'red:tally' })
  const brightness = () => readFileSync(join(led, 'brightness'), 'utf8')
  await until(() => brightness() === '0')
  lamp?.show(true)
  await lamp?.settled()
  expect(brightness()).toBe('255')
  lamp?.show(false)
  await lamp?.settled()
  expect(brightness()).toBe('0')
})

test('without a command, and without an LED that the machine has, there is no light', () => {
  expect(lampOf({})).toBeUndefined()
  expect(lampOf({ led: 'absent' })).toBeUndefined()
  expect(logs.text()).toContain('this machine has no such LED')
  expect(lampOf({ led: 'absent', command: 'true' })).toBeDefined()
})
