import { describe, expect, test } from 'vitest'
import {
  isSameRegistrationServer,
  RegistrationServer,
  registrationServerRefusal,
} from './registration-servers.ts'

describe('[STAFF-013] a registration server', () => {
  test.for([
    'sip.north.example',
    'sip',
    'sip-1.north.example:5061',
    '192.0.2.7',
    '192.0.2.7:1',
    '[2001:db8::7]',
    '[2001:db8::7]:65535',
  ])('may be %s', (text) => {
    expect(registrationServerRefusal(text)).toBeUndefined()
  })

  test.for([
    'sip north',
    'https://sip.north.example',
    'sip:north.example',
    'sip.north.example/room',
    'user@sip.north.example',
    '-sip.example',
    'sip..example',
    'sip.example:',
    'sip.example:5060a',
    ':5060',
    '192.0.2.256',
    '192.0.2',
    '2001:db8::7',
    '[sip.example]:5060',
    '[]',
    `${'a'.repeat(64)}.example`,
  ])('is not %s', (text) => {
    expect(registrationServerRefusal(text)).toBe('registrationServer.invalid')
  })

  test.for(['0', '65536', '70000', '999999999'])('has no port %s', (port) => {
    expect(registrationServerRefusal(`sip.north.example:${port}`)).toBe('registrationServer.port')
  })

  test('is kept without blanks and in lower case, and may be left out', () => {
    expect(RegistrationServer.parse('  SIP.North.example:5061 ')).toBe('sip.north.example:5061')
    expect(RegistrationServer.parse('')).toBe('')
  })

  test('is the same with and without the usual port, regardless of case', () => {
    expect(isSameRegistrationServer('SIP.north.example', 'sip.north.example:5060')).toBe(true)
    expect(isSameRegistrationServer('sip.north.example:5061', 'sip.north.example')).toBe(false)
    expect(isSameRegistrationServer('[2001:db8::7]', '[2001:DB8::7]:5060')).toBe(true)
    expect(isSameRegistrationServer('An old name', 'an old name')).toBe(true)
  })
})
