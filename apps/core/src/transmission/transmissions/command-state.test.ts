import { type CommandName, CommandState } from '@backhaul/contract/nouns/commands'
import { describe, expect, it } from 'vitest'
import { type CommandEvent, commandAfter, isAboutTheSame, isShownBy } from './command-state.ts'

const commandEvents: readonly CommandEvent[] = [
  'sent',
  'accepted',
  'confirmed',
  'refused',
  'deadline',
  'superseded',
]

/** Rows: the state; columns in the order of `commandEvents`; '-' changes nothing. */
const table: Readonly<Record<CommandState, string>> = {
  queued: 'sent accepted confirmed refused timedOut superseded',
  sent: '- accepted confirmed refused timedOut superseded',
  accepted: '- - confirmed refused timedOut superseded',
  confirmed: '- - - - - -',
  refused: '- - - - - -',
  timedOut: '- - - - - -',
  superseded: '- - - - - -',
}

it.each(CommandState.options)('a command that is %s advances by the table only', (state) => {
  const after = commandEvents.map((event) => commandAfter(state, event) ?? '-')
  expect(after.join(' ')).toBe(table[state])
})

it('start and stop replace each other, a delay replaces neither', () => {
  const of = (name: CommandName, port?: number) => ({ name, args: port === undefined ? {} : { port } })
  expect(isAboutTheSame(of('start_streaming'), of('stop_streaming'))).toBe(true)
  expect(isAboutTheSame(of('set_delay'), of('stop_streaming'))).toBe(false)
  expect(isAboutTheSame(of('network_scan', 1), of('network_scan', 1))).toBe(true)
  expect(isAboutTheSame(of('network_scan', 1), of('network_scan', 2))).toBe(false)
})

describe('a report confirms', () => {
  const link = (port: number, enabled: boolean) => ({ port, id: `m${port}`, kind: 'modem' as const, enabled })
  const live = { applications: { video: { state: 'streaming' } } }
  const connecting = { applications: { video: { state: 'connecting' } } }
  const idle = { applications: {} }
  const start = { name: 'start_streaming' as const, args: { transmissionId: 't1' } }
  const stop = { name: 'stop_streaming' as const, args: {} }
  const links = { name: 'set_enabled_links' as const, args: { disabledLinks: [2] } }
  const settings = { name: 'set_configuration' as const, args: { settings: { ntp: true } } }
  it.each([
    ['a start by streaming that very transmission', start, { transmissionId: 't1' }, live, true],
    ['no start while it connects', start, { transmissionId: 't1' }, connecting, false],
    ['no start by another transmission', start, { transmissionId: 't0' }, live, false],
    ['a stop by silence', stop, { transmissionId: null }, idle, true],
    ['no stop while video runs', stop, { transmissionId: null }, live, false],
    [
      'a channel',
      { name: 'set_virtual_channel' as const, args: { channelId: 'c' } },
      { channelId: 'c' },
      idle,
      true,
    ],
    [
      'no other channel',
      { name: 'set_virtual_channel' as const, args: { channelId: 'c' } },
      { channelId: null },
      idle,
      false,
    ],
    ['a delay', { name: 'set_delay' as const, args: { delayMs: 500 } }, { delayMs: 500 }, idle, true],
    ['links', links, { links: [link(1, true), link(2, false)] }, idle, true],
    ['no links while one is wrong', links, { links: [link(1, true), link(2, true)] }, idle, false],
    ['settings', settings, { settings: { ntp: true, adaptiveResolution: true } }, idle, true],
    ['no settings while one is wrong', settings, { settings: { ntp: false } }, idle, false],
    ['never an order', { name: 'reboot' as const, args: {} }, {}, idle, false],
  ])('%s', (_, command, actual, basis, expected) => {
    expect(isShownBy(command, actual, basis)).toBe(expected)
  })
})
