import { describe, expect, it } from 'vitest'
import { AudioJacks, intercomTransition, sessionRefusal } from './intercom.ts'

const session = (state: 'connecting' | 'connected', sessionId = 'ic-1') => ({
  intercom: 1 as const,
  sessionId,
  state,
})

describe('the intercom of a unit', () => {
  it('is on its way until it is connected, or until its session is gone', () => {
    expect([
      intercomTransition(undefined, undefined),
      intercomTransition('ic-1', undefined),
      intercomTransition('ic-1', session('connecting')),
      intercomTransition('ic-1', session('connected')),
      intercomTransition('ic-1', session('connected', 'ic-0')),
      intercomTransition(undefined, session('connected')),
      intercomTransition(undefined, session('connecting')),
    ]).toEqual([null, 'connecting', 'connecting', null, 'connecting', 'disconnecting', 'disconnecting'])
  })

  it('begins no session without its server, its room or its channel', () => {
    const around = { server: 'sip.a', roomServer: 'sip.a', hasChannel: true, hasChannelRoom: true }
    const reasonFor = (mode: 'audioRoom' | 'targetChannel', more: object) =>
      sessionRefusal({ mode }, { ...around, ...more })
    expect([
      reasonFor('audioRoom', { hasChannel: false }),
      reasonFor('targetChannel', { roomServer: undefined }),
      reasonFor('targetChannel', { hasChannel: false }),
      reasonFor('targetChannel', { hasChannelRoom: false }),
      reasonFor('audioRoom', { roomServer: undefined }),
      reasonFor('audioRoom', { roomServer: 'sip.b' }),
      reasonFor('audioRoom', { server: '' }),
    ]).toEqual([
      undefined,
      undefined,
      'channel.busyOrOffline',
      'intercom.channelNoRoom',
      'intercom.roomExternal',
      'intercom.otherServer',
      'intercom.serverMissing',
    ])
  })

  it('takes each audio jack once', () => {
    const jack = { jack: 1, use: 'off' }
    expect(AudioJacks.safeParse([jack, { jack: 2, use: 'intercom2' }]).success).toBe(true)
    expect(AudioJacks.safeParse([jack, jack]).success).toBe(false)
  })
})
