import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '@backhaul/runtime/testing/until'
import { expect, test } from 'vitest'
import { openDeviceSocket } from './device-socket.ts'

const canBind = process.getuid?.() === 0 && spawnSync('python3', ['--version']).status === 0

test.runIf(canBind)('a program that is busy while a socket is opened still receives it', async () => {
  for (let attempt = 1; attempt <= 4; attempt++) {
    const opening = openDeviceSocket('lo')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1200)
    const socket = await opening
    expect(socket.address().port).toBeGreaterThan(0)
    socket.close()
  }
})

test.runIf(canBind)('an interface that does not exist is refused with the reason of the system', async () => {
  await expect(openDeviceSocket('nolink0')).rejects.toThrow('No such device')
})

/** Processes with this text in their environment. */
function processesWith(mark: string): string[] {
  return readdirSync('/proc').filter((id) => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/environ`, 'latin1').includes(mark)
    } catch {
      return false
    }
  })
}

test.runIf(canBind)('no program remains of a socket whose opener was killed', async () => {
  const mark = randomUUID()
  const program = `
    import { openDeviceSocket } from ${JSON.stringify(join(import.meta.dirname, 'device-socket.ts'))}
    openDeviceSocket('lo', 3000)
    process.kill(process.pid, 'SIGKILL')
  `
  const opener = spawn(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, OPENED_BY: mark },
    stdio: 'ignore',
  })
  await once(opener, 'exit')
  expect(processesWith(mark).length).toBeGreaterThan(0)
  await until(() => processesWith(mark).length === 0)
})
