// The supervisor as a process, over programs of a few lines.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { superviseChild } from '@backhaul/runtime/child-process'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'backhaul-supervise-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Each start of the program adds a line to `starts` and ends with the next of `ends`; after these it keeps running. */
function supervise(name: string, ends: readonly string[]) {
  const [main, starts] = [join(folder, `${name}.mjs`), join(folder, `${name}.starts`)]
  writeFileSync(
    main,
    `import { appendFileSync, readFileSync } from 'node:fs'
     appendFileSync(${JSON.stringify(starts)}, process.argv[2] + '\\n')
     const count = readFileSync(${JSON.stringify(starts)}, 'utf8').trim().split('\\n').length
     const end = ${JSON.stringify(ends)}[count - 1]
     process.on('SIGINT', () => process.exit(0))
     console.log('start', count)
     if (end === 'kill') process.kill(process.pid, 'SIGKILL')
     if (end !== undefined) { console.error('Settings are wrong:\\n  PORT: must be a number'); process.exit(Number(end)) }
     setInterval(() => {}, 1000)`,
  )
  const lines: string[] = []
  const supervisor = superviseChild({
    command: process.execPath,
    args: [join(import.meta.dirname, 'supervise.ts'), main, '--name'],
    env: { ...process.env, BACKHAUL_LOG: 'json' },
    onStdoutLine: (line) => lines.push(line),
    onStderrLine: (line) => lines.push(line),
    killAfterMs: 20_000,
  })
  const restarts = () =>
    lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as { restartInMs?: number })
  return { supervisor, lines, restarts, starts: () => readFileSync(starts, 'utf8').trim().split('\n') }
}

test('a program that requests it is started again immediately, one that crashed after a pause, with its arguments', async () => {
  const { supervisor, lines, restarts, starts } = supervise('falls', ['75', 'kill'])
  await expect.poll(() => lines).toContain('start 3')
  await expect.poll(() => restarts().map(({ restartInMs }) => restartInMs)).toEqual([0, 1000])
  expect(starts()).toEqual(['--name', '--name', '--name'])
  await supervisor.stop()
  expect(await supervisor.exited).toMatchObject({ code: 0 })
  expect(starts()).toHaveLength(3)
})

test.each(['78', '0'])(
  'a program that ends with %s is not started again, and its supervisor ends',
  async (code) => {
    const { supervisor, lines, restarts, starts } = supervise(`ends-${code}`, [code])
    expect(await supervisor.exited).toMatchObject({ code: Number(code) })
    expect(lines).toContain('  PORT: must be a number')
    expect(restarts()).toEqual([])
    expect(starts()).toHaveLength(1)
  },
)
