import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { brokenPromises, publishedRefusals } from '../openapi/published.ts'
import { Conflict, fault, faultsOf, InvalidRequest } from './errors.ts'
import { because, reasonFields, refusals, rule, wordingOf, wordingOfFields } from './refusals.ts'

const file = readFileSync(new URL('../../published/refusals.json', import.meta.url), 'utf8')

test('the published list of codes is current, and every code of it is kept with its parameters', () => {
  expect(publishedRefusals()).toBe(file)
  expect(brokenPromises(JSON.parse(file))).toEqual([])
})

test('a published code can be reworded; it can neither be removed or renamed, nor lose a parameter', () => {
  const published = {
    'channel.gone': 'The channel no longer exists',
    'apiKey.tooMany': 'At most {{most}} keys',
  }
  expect(brokenPromises(published, { ...published, 'channel.gone': 'The channel was removed' })).toEqual([])
  expect(brokenPromises(published, { 'channel.removed': '', 'apiKey.tooMany': 'Too many' })).toEqual([
    'channel.gone',
    'apiKey.tooMany {{most}}',
  ])
})

test('a code is a noun and a statement about it, and no text is there twice for one noun', () => {
  const codes = Object.keys(refusals)
  expect(codes.filter((code) => !/^[a-z]\w*\.[a-z]\w*$/.test(code))).toEqual([])
  const texts = Object.entries(refusals).map(([code, text]) => `${code.split('.')[0]}: ${text}`)
  expect(texts.filter((one, at) => texts.indexOf(one) < at)).toEqual([])
})

test('a refusal has the English of its code and parameters, and both go over the wire', () => {
  const refusal = new Conflict(because('interface.taken', { name: 'T-1', channel: 'MCR-2' }), { code: 6802 })
  expect(refusal.body()).toEqual({
    code: 6802,
    message: 'T-1 belongs to channel MCR-2',
    params: ['T-1', 'MCR-2'],
    cause: { code: 'interface.taken', params: { name: 'T-1', channel: 'MCR-2' } },
  })
  expect(InvalidRequest.at('name', 'name.tooLong').body()).toEqual({
    code: 400,
    message: 'Invalid field',
    cause: { code: 'field.invalid', params: {} },
    fields: [fault('name', 'name.tooLong')],
  })
})

test('a broken rule of a schema has a code: its own, or that of the check of the schema library', () => {
  const Form = z.strictObject({
    name: z.string().min(2, rule('text.between', { least: 2, most: 5 })),
    label: z.string().max(3),
    port: z.number().max(9),
    ends: z.string().refine(() => false, rule('date.inFuture')),
  })
  const broken = Form.safeParse({ name: 'a', label: 'long', port: '7', ends: '', more: 1 })
  expect(faultsOf(broken.error as z.ZodError)).toEqual([
    fault('name', because('text.between', { least: 2, most: 5 })),
    fault('label', because('text.atMost', { most: 3 })),
    fault('port', 'number.invalid'),
    fault('ends', 'date.inFuture'),
    fault('(body)', because('request.unknownField', { fields: 'more' })),
  ])
})

test('the reason of a device is kept; where it gives none, core adds one', () => {
  expect(wordingOfFields({ reason: 'The disk is read-only' }, 'device.refused')).toEqual({
    message: 'The disk is read-only',
  })
  const coded = { reason: 'Unit is busy', cause: { code: 'unit.busy', params: {} } }
  expect(wordingOfFields(coded, 'device.refused')).toEqual({ message: 'Unit is busy', cause: coded.cause })
  for (const silent of [{}, { reason: null }])
    expect(wordingOfFields(silent, 'device.refused')).toEqual(wordingOf('device.refused'))
  expect(reasonFields(because('text.atMost', { most: 3 }))).toEqual({
    reason: 'Must have at most 3 characters',
    cause: { code: 'text.atMost', params: { most: 3 } },
  })
  expect(reasonFields(undefined).reason).toBeNull()
})
