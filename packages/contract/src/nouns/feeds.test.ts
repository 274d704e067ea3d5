import { describe, expect, it } from 'vitest'
import { exampleChannel } from '../examples/channels.ts'
import { type Channel, channelRefusal } from './channels.ts'
import { feedState, uplinkKbps } from './feeds.ts'

const source = { id: 'so-1', name: 'Studio', url: 'srt://192.0.2.9:9000' }
const from = { channelId: 'ch-lon-1', channelName: 'London-1', serverName: 'MCR-London' }
const idle: Channel = { ...exampleChannel, status: 'idle', allocatedToUnitUid: null, outputs: [] }

describe('feeds of a transceiver', () => {
  it.each<[string, Partial<Channel>]>([
    ['offline', { status: 'offline', feedStopped: true }],
    ['offline', { status: 'unavailable', feedFrom: from }],
    ['stopped', { feedFrom: from, feedStopped: true }],
    ['stopped', { inputSources: [source], inputProblem: 'noSource', feedStopped: true }],
    ['unset', {}],
    ['running', { status: 'collecting', feedFrom: from, allocatedToUnitUid: 'u-1' }],
    ['running', { status: 'collecting', inputSources: [source] }],
    ['failed', { inputSources: [source], inputProblem: 'noSource' }],
    ['connecting', { status: 'connecting', feedFrom: from, allocatedToUnitUid: 'u-1' }],
    ['waiting', { feedFrom: from }],
    ['waiting', { inputSources: [source] }],
  ])('is %s', (state, fields) => {
    expect(feedState({ ...idle, ...fields })).toBe(state)
  })

  it('send the sum of what their destinations get', () => {
    const output = { id: 'de-1', state: 'sending' as const, reason: null, since: 1, tries: 1 }
    expect(uplinkKbps({ outputs: [] })).toBeNull()
    expect(uplinkKbps({ outputs: [output] })).toBeNull()
    expect(uplinkKbps({ outputs: [{ ...output, kbps: 4000 }, output, { ...output, kbps: 2500 }] })).toBe(6500)
  })

  it('are not offered to units while they take the picture of a channel', () => {
    expect(channelRefusal(idle, 'u-1')).toBeUndefined()
    expect(channelRefusal({ ...idle, feedFrom: from }, 'u-1')).toBe('channelTip.busy')
  })
})
