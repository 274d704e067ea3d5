// A live unit moves to another channel of a real hub: one of the two channels has the picture at every moment.
import { api } from '@backhaul/contract/api/api'
import type { Channel } from '@backhaul/contract/nouns/channels'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { type Listener, type Person, signIn } from '../stage/person.ts'
import { adminPassword, openStage, type Stage } from '../stage/stage.ts'
import { until } from '../stage/until.ts'

describe.runIf(findFfmpeg())('a live unit', () => {
  let stage: Stage
  let person: Person
  let push: Listener
  let unitId: string
  let from: Channel
  let to: Channel

  beforeAll(async () => {
    stage = await openStage({ demo: 0 })
    await stage.start('hub')
    person = await signIn(stage.url, 'admin', adminPassword)
    const channels = () => person.call(api.channels.ofGroup, { query: { group: 'newsroom' } })
    const named = (name: string) =>
      until(name, async () => (await channels()).find((one) => one.name.endsWith(name)))
    from = await named('Channel-1')
    to = await named('Channel-2')
    await stage.start('agent', {
      env: { BACKHAUL_UNIT_NAME: 'Van-1', BACKHAUL_LINKS: 'Modem 1=127.0.0.2,Modem 2=127.0.0.3' },
    })
    const unit = await until('the unit', async () => {
      const [found] = await person.call(api.units.ofGroup, { query: { group: 'newsroom' } })
      return found?.idle ? found : undefined
    })
    unitId = unit.uid
    push = await person.listen([`unit.${unitId}`, `channel.${from.uniqueId}`, `channel.${to.uniqueId}`])
  })
  afterAll(async () => {
    push?.close()
    await stage?.stop()
  })

  const status = ({ uniqueId }: Channel) => push.state(`channel.${uniqueId}`).status
  const choose = (channel: Channel) =>
    person.call(api.unitCommands.command, {
      params: { id: unitId, command: 'set_virtual_channel' },
      body: { virtualChannelName: channel.uniqueId },
    })

  test('moves to another channel, and the picture is on one of them all the time', async () => {
    onTestFailed(() => console.error(stage.lines.slice(-60).join('\n')))
    await choose(from)
    await push.until(`unit.${unitId}`, ({ channelId }) => channelId === from.uniqueId)
    await person.call(api.unitCommands.start, { params: { id: unitId }, body: {} })
    await push.until(`channel.${from.uniqueId}`, (channel) => channel.status === 'collecting')

    const seen = new Set<string>()
    const watch = setInterval(() => seen.add(`${status(from)} ${status(to)}`), 20)
    const { commandId } = await choose(to)
    await push.until(`channel.${to.uniqueId}`, (channel) => channel.status === 'collecting')
    await push.until(
      `channel.${from.uniqueId}`,
      (channel) => channel.status === 'idle' && channel.allocatedToUnitUid === null,
    )
    clearInterval(watch)
    expect([...seen].filter((both) => !both.includes('collecting'))).toEqual([])
    expect([...seen]).toContain('collecting collecting')

    const isDone = ({ command }: Record<string, unknown>) => {
      const { id, state } = (command ?? {}) as { id?: string; state?: string }
      return id === commandId && state === 'confirmed'
    }
    await push.until(`unit.${unitId}`, isDone)
    expect(push.state(`unit.${unitId}`)).toMatchObject({ channelId: to.uniqueId, status: 'streaming' })
    expect(push.state(`channel.${to.uniqueId}`).allocatedToUnitUid).toBe(unitId)
    expect((push.state(`channel.${to.uniqueId}`).reception as Channel['reception'])?.uncorrected).toBe(0)
  })
})
