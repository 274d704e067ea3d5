import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'

const stopUrl = new URL('./stop.ts', import.meta.url).href
const logUrl = new URL('./log.ts', import.meta.url).href

function start(stopBody: string, env: Record<string, string> = {}) {
  const program = `
    import { onStop } from '${stopUrl}'
    import { createLog } from '${logUrl}'
    onStop(createLog({ name: 'test', format: 'json' }), async () => { ${stopBody} }, { limitMs: 200 })
    setInterval(() => {}, 1000)
    console.log('ready')
  `
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stdout = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk
  })
  return { child, stdout: () => stdout, ready: once(child.stdout, 'data'), exit: once(child, 'exit') }
}

test('SIGTERM runs the stop to its end and exits with 0', async () => {
  const run = start("await new Promise((r) => setTimeout(r, 20)); console.log('stopped')")
  await run.ready
  run.child.kill('SIGTERM')
  expect(await run.exit).toEqual([0, null])
  expect(run.stdout()).toContain('stopped')
})

test('a stop that hangs is ended at the limit with 1', async () => {
  const run = start('await new Promise(() => {})')
  await run.ready
  run.child.kill('SIGINT')
  expect(await run.exit).toEqual([1, null])
})

test('a supervised process stops when its parent closes standard input, another one does not', async () => {
  const supervised = start('', { BACKHAUL_SUPERVISED: '1' })
  const free = start('')
  await Promise.all([supervised.ready, free.ready])
  supervised.child.stdin.end()
  free.child.stdin.end()
  expect(await supervised.exit).toEqual([0, null])
  expect(free.child.exitCode).toBeNull()
  free.child.kill('SIGKILL')
  await free.exit
})
