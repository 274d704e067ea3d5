import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { signIns } from '../api/sign-ins.ts'
import { unitCommands, units } from '../api/units.ts'
import { decodeWallStill, encodeWallStill } from '../nouns/previews.ts'
import { kindsByField, parseTopic } from '../push/push.ts'
import { unitTopic } from '../push/units.ts'
import { createClient, type Fetch } from './client.ts'
import { REST_BASE } from './endpoint.ts'
import { Conflict, faultsOf, NoAnswer, Refusal } from './errors.ts'
import { because } from './refusals.ts'
import { parseRevision, revisionToken } from './topic.ts'

type Sent = { url: string; method: string; headers: Record<string, string>; body?: string }

function recordingFetch(status: number, body: unknown): { sent: Sent[]; fetch: Fetch } {
  const sent: Sent[] = []
  return {
    sent,
    fetch: async (url, init) => {
      sent.push({ url, ...init })
      return { status, json: async () => body, text: async () => String(body) }
    },
  }
}

const clientOf = (fetch: Fetch) =>
  createClient({ origin: '', fetch, applicationId: 'console', csrfToken: () => 'tok' })

describe('the typed client', () => {
  it('carries the REST base and the two headers on every call', async () => {
    const { sent, fetch } = recordingFetch(200, { code: 200, data: [] })
    await clientOf(fetch)(units.ofGroup, { query: { group: 'a b' } })
    expect(sent[0]).toMatchObject({
      url: `${REST_BASE}/devices/fetch?group=a%20b`,
      method: 'GET',
      headers: { accept: 'application/json', 'application-id': 'console' },
    })
    expect(sent[0]?.headers).not.toHaveProperty('x-csrf-token')
  })

  it('sends the CSRF token with writes and fills path parameters', async () => {
    const { sent, fetch } = recordingFetch(200, { code: 200, data: { accepted: true } })
    await clientOf(fetch)(unitCommands.setDelay, { params: { id: 'u/1' }, body: { delay: 1000 } })
    expect(sent[0]).toMatchObject({
      url: `${REST_BASE}/v2/units/u%2F1/delay`,
      method: 'PUT',
      body: '{"delay":1000}',
    })
    expect(sent[0]?.headers['x-csrf-token']).toBe('tok')
  })

  it('reaches calls outside the base at their own path', async () => {
    const { sent, fetch } = recordingFetch(200, { code: 200, data: { userId: 'u', csrfToken: 'c' } })
    await clientOf(fetch)(signIns.signIn, { body: { username: 'a', password: 'b' } })
    expect(sent[0]?.url).toBe('/login')
  })

  it('raises a refusal with its code, text and fields', async () => {
    const body = new Conflict(because('videoReturn.serverFull', { most: 4 }), { code: 6802 }).body()
    const error = await clientOf(recordingFetch(409, body).fetch)(units.one, { params: { id: 'u' } }).catch(
      (e: unknown) => e,
    )
    expect(error).toBeInstanceOf(Refusal)
    expect(error).toMatchObject({
      status: 409,
      code: 6802,
      message: 'The server can return video to at most 4 units.',
      cause: { code: 'videoReturn.serverFull', params: { most: 4 } },
    })
  })

  it('raises a generic refusal when the network or the answer is broken', async () => {
    const offline: Fetch = async () => Promise.reject(new Error('offline'))
    expect(
      await clientOf(offline)(units.one, { params: { id: 'u' } }).catch((e: unknown) => e),
    ).toMatchObject({ status: 0, message: 'Generic Error' })
    const proxy = recordingFetch(502, 'Bad Gateway')
    expect(
      await clientOf(proxy.fetch)(units.one, { params: { id: 'u' } }).catch((e: unknown) => e),
    ).toMatchObject({ status: 502, message: 'Generic Error' })
  })

  it('passes on why the platform gave a call up', async () => {
    const late: Fetch = async (_, __, { method }) => Promise.reject(new NoAnswer(method !== 'GET'))
    const [one, update] = [units.one, units.update]
    const params = { id: 'u' }
    await expect(clientOf(late)(one, { params })).rejects.toMatchObject({
      cause: { code: 'system.noAnswer' },
    })
    await expect(clientOf(late)(update, { params, body: { name: 'A' } })).rejects.toMatchObject({
      cause: { code: 'system.noAnswerToChange' },
    })
  })
})

describe('[SHELL-029] field faults', () => {
  const schema = z.strictObject({
    name: z.string().min(2).max(5),
    count: z.number().int().min(3).max(9),
    mail: z.email(),
    word: z.string().regex(/^a+$/),
    list: z.array(z.string()).max(1),
    mode: z.enum(['a', 'b']),
    on: z.boolean(),
    place: z.object({}),
    code: z.literal(Array.from({ length: 21 }, (_, code) => code)),
  })
  const others = { mode: 'a', on: true, place: {}, code: 0 }
  const fault = (field: string, value: unknown) => {
    const good = { name: 'abc', count: 5, mail: 'a@b.example', word: 'aa', list: [], ...others }
    const result = schema.safeParse({ ...good, [field]: value }, { reportInput: true })
    return result.success ? undefined : faultsOf(result.error)[0]
  }
  it.each([
    ['name', undefined, 'This field is required'],
    ['count', undefined, 'Numeric value is required'],
    ['name', 7, 'Must be text'],
    ['mode', 'c', 'Must be one of a, b'],
    ['on', 'yes', 'Must be true or false'],
    ['list', {}, 'Must be a list'],
    ['place', [], 'Must be an object'],
    ['code', 21, 'Invalid field'],
    ['name', 'a', 'Must have at least 2 characters'],
    ['name', 'abcdef', 'Must have at most 5 characters'],
    ['count', 2, 'Must be 3 or more'],
    ['count', 10, 'Must be 9 or less'],
    ['count', 3.5, 'Must be an integer'],
    ['count', 'x', 'Must be a number'],
    ['mail', 'x', 'Invalid email format'],
    ['word', 'b', 'Must match the pattern'],
    ['list', ['a', 'b'], 'Select at most 1 items.'],
  ])('%s = %s is refused with %s', (field, value, message) => {
    expect(fault(field, value)).toMatchObject({ field, message })
  })
  it('names unknown fields', () => {
    expect(fault('other', 1)?.message).toBe('Unknown field: other.')
  })
})

describe('push names and frames', () => {
  it('reads topics and revisions', () => {
    expect(parseTopic('unit.u-1')).toMatchObject({ uid: 'u-1', topic: unitTopic })
    expect([parseTopic('unit.'), parseTopic('story.1'), parseTopic('unit')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(parseRevision(revisionToken('e:1', 42))).toEqual({ epoch: 'e:1', seq: 42 })
    expect(parseRevision('nonsense')).toBeUndefined()
  })
  it('sends each field by its kind', () => {
    const kinds = kindsByField(unitTopic)
    expect(
      ['applications', 'modems', 'delay', 'location', 'command'].map((field) => kinds.get(field)),
    ).toEqual(['unitStatus', 'unitStatus', 'unitConfig', 'location', 'command'])
    expect(kinds.has('rev')).toBe(false)
  })
  it('keeps a still of the wall whole', () => {
    const still = { channelId: 'ch-1', timeMs: 1_795_000_000_123, jpeg: new Uint8Array([255, 216, 1]) }
    expect(decodeWallStill(encodeWallStill(still))).toEqual(still)
    expect(decodeWallStill(new Uint8Array([9, 1]))).toBeUndefined()
  })
})
