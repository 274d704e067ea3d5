import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type ChildExit, superviseChild } from './child-process.ts'
import { createTestClock } from './clock.ts'
import { isRunning } from './testing/processes.ts'

const shell = (script: string) => ({ command: 'sh', args: ['-c', script] })

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('both outputs arrive as lines, the last one without line feed too', async () => {
  const out: string[] = []
  const err: string[] = []
  const child = superviseChild({
    ...shell("printf 'a\\nb\\rc'; printf 'wrong\\n' >&2; exit 3"),
    onStdoutLine: (line) => out.push(line),
    onStderrLine: (line) => err.push(line),
  })
  expect(await child.exited).toEqual({ code: 3, signal: null })
  expect(out).toEqual(['a', 'b', 'c'])
  expect(err).toEqual(['wrong'])
})

test('a program that does not exist ends with an error or the code 127', async () => {
  const exit = await superviseChild({ command: 'no-such-program', args: [] }).exited
  expect(exit.error !== undefined || exit.code === 127).toBe(true)
})

test('stop interrupts the program', async () => {
  const child = superviseChild({ command: 'sleep', args: ['60'] })
  await child.stop()
  expect(await child.exited).toEqual({ code: null, signal: 'SIGINT' })
})

test('a program that ignores the interrupt is killed after 2 s', async () => {
  const clock = createTestClock()
  const out: string[] = []
  const child = superviseChild({
    command: process.execPath,
    args: ['-e', "process.on('SIGINT', () => {}); setInterval(() => {}, 1000); console.log('ready')"],
    onStdoutLine: (line) => out.push(line),
    clock,
  })
  await until(() => out.length > 0)
  const stopped = child.stop()
  await clock.advanceAsync(1999)
  expect(child.pid()).toBeDefined()
  await clock.advanceAsync(1)
  await stopped
  expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' })
})

test('a program is started again after 1, 2, 5 and 10 s until it is stopped', async () => {
  const clock = createTestClock()
  const exits: [ChildExit, number | undefined][] = []
  const child = superviseChild({
    ...shell('exit 1'),
    restart: true,
    clock,
    onExit: (...exit) => exits.push(exit),
  })
  for (let count = 1; count <= 5; count++) {
    await until(() => exits.length === count)
    if (count < 5) await clock.advanceAsync(exits[count - 1]![1]!)
  }
  expect(exits.map(([, restartInMs]) => restartInMs)).toEqual([1000, 2000, 5000, 10_000, 10_000])
  await child.stop()
  await clock.advanceAsync(60_000)
  expect(exits).toHaveLength(5)
})

test('input reaches the program, and what exceeds the backlog is dropped and counted', async () => {
  const chunks: Buffer[] = []
  const echo = superviseChild({ command: 'cat', args: [], onStdout: (chunk) => chunks.push(chunk) })
  expect(echo.write(Buffer.from('hello'))).toBe(true)
  echo.endInput()
  await echo.exited
  expect(Buffer.concat(chunks).toString()).toBe('hello')

  const deaf = superviseChild({ command: 'sleep', args: ['60'], backlogLimitBytes: 300_000 })
  const results = [1, 2, 3, 4, 5, 6, 7].map(() => deaf.write(Buffer.alloc(100_000)))
  expect(results[0]).toBe(true)
  expect(results.at(-1)).toBe(false)
  expect(deaf.droppedCount()).toBe(results.filter((kept) => !kept).length)
  await deaf.stop()
})

test('descriptor 3 is a second pipe both ways', async () => {
  const chunks: Buffer[] = []
  const child = superviseChild({
    ...shell('head -c 4 <&3 >&3'),
    sidePipe: { onData: (chunk) => chunks.push(chunk) },
  })
  expect(child.writeSide(Buffer.from('side'))).toBe(true)
  await child.exited
  expect(Buffer.concat(chunks).toString()).toBe('side')
})

test.runIf(process.platform === 'linux')(
  'a child dies with a parent that was killed without a word',
  async () => {
    const program = `
    import { superviseChild } from '${new URL('./child-process.ts', import.meta.url).href}'
    console.log(superviseChild({ command: 'sleep', args: ['60'] }).pid())
  `
    const parent = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [chunk] = (await once(parent.stdout, 'data')) as [Buffer]
    const childPid = Number(chunk.toString())
    // setpriv has set the signal once it has executed the program.
    await until(() => readFileSync(`/proc/${childPid}/comm`, 'utf8') === 'sleep\n')
    expect(isRunning(childPid)).toBe(true)
    parent.kill('SIGKILL')
    await until(() => !isRunning(childPid))
  },
)
