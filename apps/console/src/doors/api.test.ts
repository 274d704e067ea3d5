import { Conflict, InvalidRequest, NotAllowed, Refusal } from '@backhaul/contract/define/errors'
import { expect, test } from 'vitest'
import { describeFault } from './api.ts'

test('a rule refusal is told in the words of core, a fault of core in general words with a way to help', () => {
  expect(describeFault(new Conflict('Selected channel is busy or offline')).title).toBe(
    'Selected channel is busy or offline',
  )
  expect(describeFault(new NotAllowed()).title).toBe('Not available for your user type')
  expect(describeFault(new Refusal(503, 'whatever'))).toEqual({
    title: 'Generic Error',
    text: 'Please contact support',
    fields: {},
  })
  expect(describeFault(new Refusal(0, 'Generic Error')).text).toBe('Please contact support')
})

test('a refusal by role reads the same whatever core says', () => {
  expect(describeFault(new NotAllowed('not yours')).title).toBe('Not available for your user type')
})

test('field faults are given to the form by field', () => {
  const fault = describeFault(new InvalidRequest([{ field: 'name', message: 'This field is required' }]))
  expect(fault.fields).toEqual({ name: 'This field is required' })
})
