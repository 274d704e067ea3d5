import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { signalProcess } from '@backhaul/runtime/testing/processes'
import { afterAll, afterEach, expect, test } from 'vitest'
import { compileCache, type Program, readReady, startProgram, whyEnded } from './program.ts'

const folder = mkdtempSync(join(tmpdir(), 'backhaul-program-'))
afterAll(() => rmSync(folder, { recursive: true }))

const running: Program[] = []
afterEach(async () => {
  for (const program of running.splice(0)) await program.stop()
})

/** The environment without the setting by which `npm test` is faster: `npm start` does not have it. */
const { NODE_COMPILE_CACHE: _, ...environment } = process.env

/** A tiny program instead of a real one, with its output and the reasons of its ends. */
function standIn(source: string) {
  const main = join(mkdtempSync(join(folder, 'one-')), 'main.mjs')
  writeFileSync(main, source)
  const lines: string[] = []
  const ends: string[] = []
  const restarts: (number | undefined)[] = []
  const program = startProgram({
    name: 'core',
    main,
    env: { ...environment, BACKHAUL_PORT: '0' },
    onLine: (line) => lines.push(line),
    onEnd(reason, restartInMs) {
      ends.push(reason)
      restarts.push(restartInMs)
    },
  })
  running.push(program)
  return { program, lines, ends, restarts }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10)
}

const readyAt = (port: string) =>
  `console.log(JSON.stringify({ ready: true, url: 'http://127.0.0.1:' + ${port} }));`

test('a program is ready when it reports it, and its other lines are passed on', async () => {
  const { program, lines } = standIn(
    `console.error('warming up'); ${readyAt('8080')} console.log('at work'); setInterval(() => {}, 1000)`,
  )
  expect(await program.ready).toEqual({ ready: true, url: 'http://127.0.0.1:8080' })
  await until(() => lines.length === 2)
  expect(lines.toSorted()).toEqual(['at work', 'warming up'])
})

test('a program keeps what Node has compiled for the next start', async () => {
  const { program, lines } = standIn(`
    import { getCompileCacheDir } from 'node:module'
    console.error(getCompileCacheDir())
    ${readyAt('8080')}
    setInterval(() => {}, 1000)`)
  await program.ready
  await until(() => lines.length === 1)
  expect(lines[0]).toContain(compileCache)
})

test('a program that ends before it was ready gives the reason and is not started again', async () => {
  const { program, ends } = standIn(`throw new Error('the port is taken')`)
  await expect(program.ready).rejects.toThrow(
    'core cannot start: Error: the port is taken (ended with code 1)',
  )
  await program.stop()
  expect(ends).toEqual([])
})

test('a program that ends later is started again on the port it had', async () => {
  const { program, lines, ends } = standIn(`
    const port = process.env.BACKHAUL_PORT === '0' ? 4711 : Number(process.env.BACKHAUL_PORT)
    console.error('port', process.env.BACKHAUL_PORT)
    ${readyAt('port')}
    if (process.env.BACKHAUL_PORT === '0') setTimeout(() => process.exit(3), 50)
    setInterval(() => {}, 1000)`)
  await program.ready
  await until(() => lines.length === 2)
  expect(lines).toEqual(['port 0', 'port 4711'])
  expect(ends).toEqual(['port 0 (ended with code 3)'])
})

test('wrong settings end a program permanently, with the lines that name them', async () => {
  const wrong = `console.error('Settings are wrong:\\n  BACKHAUL_PORT: must be a number\\n  BACKHAUL_HOST: is not set'); process.exit(78);`
  const early = standIn(wrong)
  const reason =
    'Settings are wrong: BACKHAUL_PORT: must be a number; BACKHAUL_HOST: is not set (ended with code 78)'
  await expect(early.program.ready).rejects.toMatchObject({
    message: `core cannot start: ${reason}`,
    code: 78,
  })

  const newer = standIn(`console.error('The database is from a newer release'); process.exit(78);`)
  await expect(newer.program.ready).rejects.toThrow(
    'The database is from a newer release (ended with code 78)',
  )

  const { program, lines, ends, restarts } = standIn(`${readyAt('1')} setTimeout(() => { ${wrong} }, 20)`)
  await program.ready
  await until(() => ends.length === 1)
  expect([ends, restarts]).toEqual([[reason], [undefined]])
  expect(program.pid()).toBeUndefined()
  expect(lines.filter((line) => line.startsWith('Settings'))).toHaveLength(1)
})

test('a program that requests a restart is started again immediately; one that is killed, within a second', async () => {
  const { program, ends, restarts } = standIn(`${readyAt('1')} setTimeout(() => process.exit(75), 20)`)
  await program.ready
  await until(() => ends.length === 2)
  expect(restarts).toEqual([0, 0])
  expect(ends[0]).toBe('ended with code 75')

  const killed = standIn(
    `console.log('{"level":30,"msg":"core knows this hub"}'); ${readyAt('1')} setInterval(() => {}, 99)`,
  )
  for (let count = 1; count <= 6; count++) {
    await killed.program.ready
    await until(() => killed.lines.length === count)
    signalProcess(killed.program.pid(), 'SIGKILL')
    await until(() => killed.ends.length === count)
  }
  expect(killed.restarts).toEqual([100, 500, 1000, 2000, 2000, 2000])
  expect(new Set(killed.ends)).toEqual(new Set(['ended by SIGKILL']))
})

test('a supervised program is informed of it and ends on request', async () => {
  const { program, lines } = standIn(
    `process.on('SIGINT', () => { console.log('bye'); process.exit(0) }); setInterval(() => {}, 1000)
     console.log('supervised', process.env.BACKHAUL_SUPERVISED); ${readyAt('1')}`,
  )
  await program.ready
  await program.stop()
  expect(lines).toEqual(['supervised 1', 'bye'])
})

test('only a line with ready:true is a ready line', () => {
  const signIns = [{ username: 'anna', password: 'x', role: 'operator' }]
  expect(readReady(JSON.stringify({ ready: true, url: 'http://a:1', signIns }))?.signIns).toEqual(signIns)
  expect(readReady('{"ready":true}')).toEqual({ ready: true })
  for (const line of ['ready', '{"ready":false}', '{"ready":true', '{"level":30}', '']) {
    expect(readReady(line)).toBeUndefined()
  }
})

test('the reason of an end is the last error logged, else the error thrown, else the last line', () => {
  const ended = { code: 1, signal: null }
  const logged = '{"level":60,"msg":"cannot listen","err":{"message":"EADDRINUSE: 8080"}}'
  expect(whyEnded(['{"level":30,"msg":"hello"}', logged, '{"level":30,"msg":"bye"}'], ended)).toBe(
    'cannot listen: EADDRINUSE: 8080 (ended with code 1)',
  )
  expect(whyEnded(['TypeError: no', '    at x.ts:1', 'Node.js v24.1.0'], ended)).toBe(
    'TypeError: no (ended with code 1)',
  )
  expect(whyEnded([], { code: null, signal: 'SIGKILL' })).toBe('ended by SIGKILL')
  const request =
    '{"level":50,"msg":"failed","err":{"message":"The server of this channel is not connected"}}'
  expect(whyEnded([request, '{"level":30,"msg":"core knows this hub"}'], ended)).toBe('ended with code 1')
  expect(whyEnded([request], { code: null, signal: 'SIGKILL' })).toBe('ended by SIGKILL')
  expect(whyEnded([request], { code: 0, signal: null })).toBe('ended with code 0')
  expect(whyEnded([request], ended)).toBe(
    'failed: The server of this channel is not connected (ended with code 1)',
  )
  expect(whyEnded([], { code: null, signal: null, error: 'spawn ENOENT' })).toBe('spawn ENOENT')
})
