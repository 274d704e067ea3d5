// Random requests to every call of the contract, made from its own schemas: none may break core or the contract.
import { allEndpoints } from '@backhaul/contract/api/api'
import { answer } from '@backhaul/contract/define/answers'
import { APPLICATION_ID_HEADER, CSRF_COOKIE, CSRF_HEADER, pathOf } from '@backhaul/contract/define/endpoint'
import { RefusalBody } from '@backhaul/contract/define/errors'
import { nothing } from '@backhaul/contract/define/nothing'
import fc from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enginesOfNight, isNightly } from './database/testing.ts'
import { arbitraryOf } from './testing/arbitraries.ts'
import { createTestFleet, type TestFleet } from './testing/fleet.ts'
import { type Browser, groupNames, people } from './testing.ts'

type Named = ReturnType<typeof allEndpoints>[number]

/** FUZZ_SEED repeats a run, FUZZ_RUNS makes it longer. */
const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))
const runs = Number(process.env.FUZZ_RUNS ?? (isNightly ? 5000 : 300))

const usernames = ['root', 'nora', 'olivia', 'reed', 'sam', 'vera']

describe.each(enginesOfNight)('random requests on %s', (engine) => {
  let fleet: TestFleet
  const browsers = new Map<string, Browser>()
  const names = [
    ...Object.keys(groupNames),
    ...people.map(([username]) => `us-${username}`),
    'north',
    'south',
  ]

  beforeAll(async () => {
    fleet = await createTestFleet(engine)
    for (const group of Object.keys(groupNames)) {
      const more = { registrationKey: `key-${group}` }
      const server = await fleet.server(`MCR-${group}`, 1, more)
      const unit = await fleet.unit(`U-${group}`, more)
      names.push(server.id, unit.id, ...server.channelIds, `U-${group}`, `MCR-${group}-1`)
    }
    await fleet.pass()
    for (const username of usernames) browsers.set(username, await fleet.signedIn(username))
  })
  afterAll(() => fleet.remove())

  /** A user who signed out, or was removed by another call, is restored where possible. */
  async function browserOf(username: string): Promise<Browser> {
    const browser = browsers.get(username) as Browser
    if (browser.cookies.has(CSRF_COOKIE)) return browser
    const again = await fleet.signedIn(username).catch(() => fleet.browser())
    browsers.set(username, again)
    return again
  }

  async function send(
    browser: Browser,
    { endpoint }: Named,
    request: Request,
  ): Promise<LightMyRequestResponse> {
    const query = Object.entries(request.query ?? {}).filter(([, value]) => value !== undefined)
    const inQuery = new URLSearchParams(
      query.map(([name, value]): [string, string] => [name, wellFormed(value)]),
    )
    const params = Object.entries(request.params ?? {}).map(([name, value]) => [name, wellFormed(value)])
    return await browser.send({
      method: endpoint.method,
      url: `${pathOf(endpoint, Object.fromEntries(params))}?${inQuery}`,
      headers: {
        [APPLICATION_ID_HEADER]: 'fuzz',
        [CSRF_HEADER]: browser.cookies.get(CSRF_COOKIE) ?? '',
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(request.body !== undefined && { payload: JSON.stringify(request.body) }),
    })
  }

  /** The way in which an answer breaks the contract. */
  function faultOf({ endpoint }: Named, response: LightMyRequestResponse): string | undefined {
    const { statusCode, body } = response
    if (statusCode >= 500 && !endpoint.errors.includes(statusCode)) return `${statusCode} ${body}`
    if (statusCode === 200) {
      const isCsv = !String(response.headers['content-type']).startsWith('application/json')
      const error = isCsv ? undefined : answer(endpoint.response).safeParse(response.json()).error
      return error && `off the schema: ${error.message}`
    }
    const isForeseen = [400, 401, 403, 414, ...endpoint.errors].includes(statusCode)
    // An empty or very long parameter makes another address, which no call has.
    const isElsewhere = statusCode === 404 && endpoint.path.includes('{')
    if (!isForeseen && !isElsewhere) return `${statusCode} is not foreseen: ${body}`
    const error = RefusalBody.safeParse(response.json()).error
    return error && `no refusal of the contract: ${body}`
  }

  it('get an answer that the contract foresees', async () => {
    const calls = allEndpoints()
    const tally = new Map<number, number>()
    console.info(`fuzz on ${engine}: seed ${seed}, ${runs} requests to ${calls.length} calls`)
    const request = fc.constantFrom(...calls.keys()).chain((at) => {
      const { endpoint } = calls[at] as Named
      return fc.record({
        at: fc.constant(at),
        username: fc.constantFrom(...usernames),
        parts: fc.record({
          params: partOf(endpoint.params, names),
          query: partOf(endpoint.query, names),
          body: partOf(endpoint.body, names),
        }),
      })
    })
    const property = fc.asyncProperty(request, async ({ at, username, parts }) => {
      const named = calls[at] as Named
      const response = await send(await browserOf(username), named, parts as Request)
      // The sign-in was ended by another call: the user signs in again next time.
      if (response.statusCode === 401) browsers.get(username)?.cookies.clear()
      tally.set(response.statusCode, (tally.get(response.statusCode) ?? 0) + 1)
      const fault = faultOf(named, response)
      expect(fault && `${named.name} as ${username} ${JSON.stringify(parts)}: ${fault}`).toBeUndefined()
    })
    await fc.assert(property, { seed, numRuns: runs, interruptAfterTimeLimit: 60_000 })
    const counted = [...tally].toSorted().map(([status, times]) => `${status}: ${times}`)
    console.info(`fuzz on ${engine}: 0 faults (${counted.join(', ')})`)
    // Users shut each other out on the way; enough requests with a sign-in must have succeeded.
    const signedInCalls = [...tally].reduce((sum, [status, times]) => sum + (status === 401 ? 0 : times), 0)
    expect(tally.get(200) ?? 0).toBeGreaterThan(signedInCalls / 100)
  })
})

interface Request {
  params?: Readonly<Record<string, unknown>>
  query?: Readonly<Record<string, unknown>>
  body?: unknown
}

const partOf = (schema: Named['endpoint']['body'], names: readonly string[]): fc.Arbitrary<unknown> =>
  schema === nothing ? fc.constant(undefined) : arbitraryOf(schema, names)

/** An address cannot contain half of a surrogate pair. */
const wellFormed = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed()
