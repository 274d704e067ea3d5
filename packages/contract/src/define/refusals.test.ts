import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { brokenPromises, publishedRefusals } from '../openapi/published.ts'
import { Conflict, fault, faultsOf, InvalidRequest } from './errors.ts'
import { refusals } from './refusals/all.ts'
import { wordForWord, wordingFault } from './refusals/wording.ts'
import { because, type RefusalCode, reasonFields, rule, wordingOf, wordingOfFields } from './refusals.ts'

const file = readFileSync(new URL('../../published/refusals.json', import.meta.url), 'utf8')
const codes = Object.keys(refusals) as RefusalCode[]

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
  expect(codes.filter((code) => !/^[a-z]\w*\.[a-z]\w*$/.test(code))).toEqual([])
  const texts = Object.entries(refusals).map(([code, text]) => `${code.split('.')[0]}: ${text}`)
  expect(texts.filter((one, at) => texts.indexOf(one) < at)).toEqual([])
})

test('every text is worded by the one rule', () => {
  expect(codes.flatMap((code) => wordingFault(code, refusals[code]) ?? [])).toEqual([])
  expect(
    Object.keys(wordForWord).filter((code) => refusals[code as RefusalCode].startsWith('Must ')),
  ).toEqual([])
})

test('a text that breaks the rule is found', () => {
  const wrong = [
    ['unit.busy', 'unit is busy.', 'a capital'],
    ['unit.busy', 'Unit is busy', 'a full stop'],
    ['unit.busy', 'Unit is busy..', 'a full stop'],
    ['registration.noGroup', 'registrationKey: there is no such group.', 'a capital'],
    ['number.integer', 'Must be an integer.', 'no full stop'],
    ['field.required', 'This field is required.', 'no full stop'],
    ['device.rebootFailed', 'The reboot failed: {{error}}.', 'parentheses'],
    ['group.otherInventory', '{{group}} belongs to another inventory', 'a full stop'],
  ] as const
  for (const [code, text, what] of wrong)
    expect(wordingFault(code, text)).toMatch(new RegExp(`^${code}: .*${what}`))
})

test('[SHELL-029] texts of the specification are used word for word', () => {
  const given: Partial<Record<RefusalCode, string>> = {
    'field.invalid': 'Invalid field',
    'field.required': 'This field is required',
    'name.notUnique': 'Name field has to be unique',
    'field.notUnique': 'This field must be unique',
    'number.required': 'Numeric value is required',
    'address.ip': 'Invalid IP field',
    'address.subnetMask': 'Invalid Subnet Mask field',
    'inventory.ownParent': 'Parent inventory cannot be the current inventory',
    'address.email': 'Invalid email format',
    'story.sluglineMissing': 'Slugline is missing',
    'ingest.fileType': 'File type is not supported',
    'ingest.wrongPassword': 'Password is incorrect',
    'system.internalError': 'Internal Error',
    'system.gridError': 'Items cannot be displayed',
    'system.error': 'Generic Error',
    'system.contactSupport': 'Please contact support',
    'feature.disabled': 'Feature disabled',
    'system.websocketError': 'Websocket Error',
    'role.noAccess': 'You are not allowed to access this application',
    'role.notAllowed': 'Not available for your user type',
    'server.channelBusy': 'Cannot delete device. Channel {{channel}} is busy',
    'server.channelSharing': 'Cannot delete device. Channel {{channel}} is currently sharing',
    'server.channelStreaming': 'Cannot delete device. Channel {{channel}} is streaming to IP destination',
    'server.recording':
      'Server cannot be deleted. At least one of the allocated channels is being recorded at this time',
  }
  expect(Object.keys(wordForWord).sort()).toEqual(Object.keys(given).sort())
  expect(refusals).toMatchObject({
    ...given,
    'field.pattern': 'Must match the pattern',
    'text.atLeast': 'Must have at least {{least}} characters',
    'number.orMore': 'Must be {{least}} or more',
    'text.atMost': 'Must have at most {{most}} characters',
    'text.between': 'Must be between {{least}} and {{most}} characters',
    'text.digits': 'Must only contain numeric characters',
    'number.integer': 'Must be an integer',
    'number.invalid': 'Must be a number',
    'name.taken': 'Name is already taken. Please select a different name.',
    'name.tooLong': 'Must be no more than 255 characters',
  })
})

test('a refusal has the English of its code and parameters, and both go over the wire', () => {
  const refusal = new Conflict(because('interface.taken', { name: 'T-1', channel: 'MCR-2' }), { code: 6802 })
  expect(refusal.body()).toEqual({
    code: 6802,
    message: 'T-1 belongs to channel MCR-2.',
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
  const coded = { reason: 'Unit is busy.', cause: { code: 'unit.busy', params: {} } }
  expect(wordingOfFields(coded, 'device.refused')).toEqual({ message: 'Unit is busy.', cause: coded.cause })
  const known = { cause: { code: 'upgrade.didNotConnect', params: { seconds: 120 } } }
  expect(wordingOfFields(known, 'device.refused')).toEqual({
    message: 'The new version did not reach core within 120 s; the previous one is running again.',
    cause: known.cause,
  })
  const unknown = { cause: { code: 'vendor.fanStuck', params: {} } }
  for (const silent of [{}, { reason: null }, { reason: '' }, unknown])
    expect(wordingOfFields(silent, 'device.refused')).toEqual(wordingOf('device.refused'))
  expect(reasonFields(because('text.atMost', { most: 3 }))).toEqual({
    reason: 'Must have at most 3 characters',
    cause: { code: 'text.atMost', params: { most: 3 } },
  })
  expect(reasonFields(undefined).reason).toBeNull()
})
