import { spawnSync } from 'node:child_process'
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
