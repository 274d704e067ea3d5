// Core stops completely, even when a part of it fails.
import { expect, it } from 'vitest'
import { stopAll } from './world/feature.ts'

it('stops every part although some of them fail, and reports all that failed', async () => {
  const stopped: string[] = []
  const failing = (text: string) => () => {
    stopped.push(text)
    throw new Error(text)
  }
  const first = stopAll([failing('one'), async () => stopped.push('two'), failing('three')])
  await expect(first).rejects.toMatchObject({ errors: [new Error('one'), new Error('three')] })
  expect(stopped).toEqual(['one', 'two', 'three'])
  await expect(stopAll([failing('four')])).rejects.toThrow('four')
  await stopAll([() => undefined])
})
