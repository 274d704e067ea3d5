import { Conflict, InvalidRequest, NoAnswer, NotAllowed, Refusal } from '@backhaul/contract/define/errors'
import type { PlainCode } from '@backhaul/contract/define/refusals'
import { expect, test } from 'vitest'
import { describeFault, faultWords } from './api.ts'

test('a rule refusal is shown in the words of core, a fault of core in general words with a way to help', () => {
  expect(describeFault(new Conflict('channel.busyOrOffline')).title).toBe(
    'Selected channel is busy or offline.',
  )
  expect(describeFault(new NotAllowed()).title).toBe('Not available for your user type')
  expect(describeFault(new Refusal(503, { message: 'any text' }))).toEqual({
    title: 'Generic Error',
    text: 'Please contact support',
    fields: {},
  })
  expect(describeFault(new Refusal(0, 'system.error')).text).toBe('Please contact support')
})

test('a refusal names what closes the feature: the role, the customer, or another cause that core names', () => {
  const words = (why?: PlainCode) => faultWords(describeFault(new NotAllowed(why)))
  expect(words()).toBe('Not available for your user type')
  expect(words('feature.disabled')).toBe('Feature disabled')
  expect(words('user.managedElsewhere')).toBe('Managed by your IT administrator.')
})

test('a call without an answer is shown as such, and a change as one that may have been made', () => {
  expect(faultWords(describeFault(new NoAnswer(false)))).toBe('No answer came in time.')
  expect(faultWords(describeFault(new NoAnswer(true)))).toBe(
    'No answer came in time. See whether the change was made before you repeat it.',
  )
})

test('field faults are given to the form by field', () => {
  const { fields } = describeFault(InvalidRequest.at('name', 'field.required'))
  expect(fields).toEqual({ name: 'This field is required' })
})
