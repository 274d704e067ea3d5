import { expect, test } from 'vitest'
import { gatewayUrl, type Started, startedScreen } from './screen.ts'

const started: Started = {
  url: 'http://127.0.0.1:8080',
  programs: ['core', 'hub'],
  simulatedUnits: 200,
  adminPassword: 'Aaa2-Bbb3',
  isPasswordGiven: false,
  signIns: [{ username: 'anna', password: 'Night-shift-1', role: 'operator' }],
  registrationKey: 'join-london-1',
  dataFolder: '/srv/backhaul',
  logFolder: '/srv/backhaul/logs',
  database: 'SQLite',
  remarks: ['ffmpeg is missing.'],
}

test('the screen shows the programs, addresses, sign-in, data folder and how to stop, on one screen', () => {
  const screen = startedScreen(started)
  const needed = [
    'http://127.0.0.1:8080',
    'core, hub (demo with 200 simulated units)',
    'admin  Aaa2-Bbb3',
    'anna   Night-shift-1  operator',
    '/srv/backhaul (SQLite)',
    'BACKHAUL_CORE_URL=ws://<this machine>:8080/gateway BACKHAUL_REGISTRATION_KEY=join-london-1 npm run agent',
    'ffmpeg is missing.',
    'Ctrl-C',
  ]
  for (const text of needed) expect(screen).toContain(text)
  expect(screen.split('\n').length).toBeLessThan(25)
})

test('a password that was given is not repeated', () => {
  const { adminPassword, ...given } = started
  const screen = startedScreen({ ...given, isPasswordGiven: true })
  expect(screen).toContain('the password in BACKHAUL_ADMIN_PASSWORD')
})

test('without a password it shows where the first super user is made, and later that they sign in', () => {
  const { adminPassword, ...open } = started
  const firstRunUrl = 'http://127.0.0.1:8080/first_run#Aaa2-Bbb3'
  expect(startedScreen({ ...open, firstRunUrl })).toContain(
    `first super user, in a browser\n    ${firstRunUrl}\n`,
  )
  expect(startedScreen(open)).toContain('Sign in as the super user that you have made')
})

test('devices reach core by its gateway, also when it listens on every address', () => {
  expect(gatewayUrl('http://0.0.0.0:9000')).toBe('ws://127.0.0.1:9000/gateway')
  expect(gatewayUrl('https://[::]:9000')).toBe('wss://127.0.0.1:9000/gateway')
  expect(gatewayUrl('http://192.0.2.1')).toBe('ws://192.0.2.1/gateway')
})
