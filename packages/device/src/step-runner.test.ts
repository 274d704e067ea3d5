import { expect, test } from 'vitest'
import { createStepRunner } from './step-runner.ts'

test('a newer request ends the older plan after its present step, and no two steps run at once', async () => {
  let plan = ['a1', 'a2']
  let active = 0
  const done: string[] = []
  const gate = Promise.withResolvers<void>()
  const finished = Promise.withResolvers<void>()
  const runner = createStepRunner<string>({
    plan: () => plan,
    async carryOut(step) {
      expect(++active).toBe(1)
      if (step === 'a1') await gate.promise
      active--
      done.push(step)
    },
    onDone() {
      done.push('done')
      finished.resolve()
    },
    onFailed: ({ message }) => done.push(message),
  })
  runner.request()
  plan = ['b1']
  runner.request()
  gate.resolve()
  await finished.promise
  expect(done).toEqual(['a1', 'b1', 'done'])
})

test('a failed step leaves the rest of its plan and the next request is planned again', async () => {
  const events: string[] = []
  let fails = true
  const runner = createStepRunner<string>({
    plan: () => ['one', 'two'],
    carryOut(step) {
      if (step === 'one' && fails) throw new Error('the encoder is gone')
      events.push(step)
    },
    onDone: () => events.push('done'),
    onFailed: ({ message }) => events.push(message),
  })
  runner.request()
  await new Promise(setImmediate)
  fails = false
  runner.request()
  await new Promise(setImmediate)
  expect(events).toEqual(['the encoder is gone', 'one', 'two', 'done'])
  await runner.stop()
  runner.request()
  await new Promise(setImmediate)
  expect(events).toHaveLength(4)
})
