/** (g) Paged lists: the first and the last page of long lists on both databases, against bare fastify and pg. */

import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text as readText } from 'node:stream/consumers'
import { api } from '@backhaul/contract/api/api'
import { pathOf } from '@backhaul/contract/define/endpoint'
import pg from 'pg'
import { startPrivatePostgresql } from '../scripts/private-postgresql.ts'
import { findPostgresql } from '../scripts/setup.mjs'
import { joinDevice } from '../tests/stage/device.ts'
import { type Person, signIn } from '../tests/stage/person.ts'
import { adminPassword, openStage, type Stage } from '../tests/stage/stage.ts'
import type { Bench, BenchResult, Row } from './bench-result.ts'
import { median, quantile, rounded } from './figures.ts'
import { fillLists } from './fill-lists.ts'
import { freePort, startLoad } from './load/load-program.ts'

/** BENCH_LIST_ROWS makes a trial, or a million rows: no more have names of their own. */
const rows = Number(process.env.BENCH_LIST_ROWS ?? 100_000)
/** Enough for a 99th percentile that is not the slowest page; of the peer, whose last pages take seconds, the median counts. */
const requests = { ofCore: 200, ofPeer: 20 }
const limit = 50
const search = '1234'
/** A last page counts as the first within a tenth: two runs of one page differ by as much. */
const goals = { p99Ms: 30, lastPage: 1.1, peer: 1.2 }
const password = 'Long-lists-1'

const lists = ['users', 'groups', 'units', 'files'] as const
type List = (typeof lists)[number]
/** Operators administer nothing: of these lists they read the files of their group. */
const listsOf = { 'super user': lists, administrator: lists, operator: ['files'] } as const
type Caller = keyof typeof listsOf
const callers = Object.keys(listsOf) as Caller[]
const views = ['all', 'search', 'reversed'] as const
type View = (typeof views)[number]
const pages = ['first', 'last'] as const
type Page = (typeof pages)[number]

/** Requests one page; returns the number of items of the list. */
type RequestPage = (list: List, view: View, offset: number) => Promise<number>

interface Times {
  list: List
  view: View
  page: Page
  p50: number
  p99: number
}

const agent = new Agent({ keepAlive: true })

/** Without fetch, which leaves so much garbage that its collection would be among the slowest pages. */
async function total(url: URL, headers: Record<string, string> = {}): Promise<number> {
  const asked = get(url, { agent, headers })
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  const text = await readText(response)
  const answer = JSON.parse(text) as { total?: number; data?: { total: number } }
  const found = answer.data?.total ?? answer.total
  if (found === undefined) throw new Error(`${url.pathname}: ${response.statusCode} ${text}`)
  return found
}

async function measure(
  requestPage: RequestPage,
  requests: number,
  measured: readonly List[] = lists,
): Promise<Times[]> {
  const all: Times[] = []
  for (const list of measured)
    for (const view of views)
      for (const page of pages) {
        const found = await requestPage(list, view, 0)
        const offset = page === 'first' ? 0 : Math.max(0, Math.ceil(found / limit) - 1) * limit
        const times: number[] = []
        for (let request = 0; request < requests; request++) {
          const startedAt = performance.now()
          await requestPage(list, view, offset)
          times.push(performance.now() - startedAt)
        }
        all.push({ list, view, page, p50: quantile(times, 0.5), p99: quantile(times, 0.99) })
      }
  return all
}

/** Core with full tables, for each caller; the rows come after its start, since lists are read from the database. */
async function openCore(
  stack: AsyncDisposableStack,
  databaseUrl?: string,
): Promise<Record<Caller, RequestPage>> {
  const stage = await openStage(databaseUrl === undefined ? {} : { env: { DATABASE_URL: databaseUrl } })
  stack.defer(stage.stop)
  const root = await signIn(stage.url, 'admin', adminPassword)
  const inventory = (await root.call(api.inventories.create, { body: { name: 'Long Lists' } })).id
  const named = { name: 'Readers', inventory }
  const { uid: group } = await root.call(api.groupAdministration.create, { body: named })
  const { key } = await root.call(api.invitations.permanent, { params: { currentGroup: group }, query: {} })
  const server = await joinDevice(stage, {
    kind: 'server',
    name: 'Bench-Server',
    groupId: group,
    registrationKey: key,
    slots: [{ slot: 'srt-1', name: 'SRT', inputType: 'srt' }],
  })
  stack.defer(server.close)
  const { state } = await server.received('serverWanted', (wanted) => wanted.state.channels.length > 0)
  const channel = state.channels[0]?.channelId ?? ''
  const into = { inventory, server: server.id, channel }
  await root.call(api.groupAdministration.addChannel, { params: { groupId: group, channelId: channel } })
  const person = async (username: string, userType: 'admin' | 'regular') => {
    const names = { username, firstName: 'Long', lastName: 'List', userType }
    const more = { password, passwordConfirmation: password, inventories: [inventory], groups: [group] }
    await root.call(api.users.create, { body: { ...names, ...more } })
    return await signIn(stage.url, username, password)
  }
  const people: Record<Caller, Person> = {
    'super user': root,
    administrator: await person('keeper', 'admin'),
    operator: await person('reader', 'regular'),
  }
  if (databaseUrl === undefined) {
    const file = new DatabaseSync(join(stage.dataFolder, 'core', 'backhaul.db'), { timeout: 60_000 })
    // Filling alone: its indexes fit into memory, and nothing is lost with the machine.
    file.exec('pragma cache_size = -1000000; pragma synchronous = off')
    await fillLists('sqlite', async (text) => file.exec(text), into, rows)
    file.close()
  } else {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    await client.query("set maintenance_work_mem = '1GB'; set gin_pending_list_limit = '256MB'")
    try {
      await fillLists('postgres', (text) => client.query(text), into, rows)
    } finally {
      await client.end()
    }
  }
  const requestAs = (caller: Caller) => requestPageOf(stage, people[caller], inventory, group)
  return {
    'super user': requestAs('super user'),
    administrator: requestAs('administrator'),
    operator: requestAs('operator'),
  }
}

function requestPageOf(stage: Stage, person: Person, inventory: string, group: string): RequestPage {
  const paths: Record<List, string> = {
    users: pathOf(api.users.list),
    groups: pathOf(api.groupAdministration.list),
    units: `${pathOf(api.groupAdministration.choices, { id: inventory })}?kind=unit`,
    files: `${pathOf(api.channelFiles.list)}?groupId=${group}`,
  }
  const headers = { cookie: person.cookie, 'application-id': 'bench' }
  return (list, view, offset) => {
    const url = new URL(paths[list], stage.url)
    url.searchParams.set('limit', String(limit))
    url.searchParams.set('offset', String(offset))
    if (view === 'search') url.searchParams.set('search', search)
    if (view === 'reversed' && list === 'files') url.searchParams.set('sort', 'lastModified,asc')
    // The choices of a group have one order alone.
    else if (view === 'reversed' && list !== 'units') url.searchParams.set('sort', 'name,desc')
    return total(url, headers)
  }
}

async function openPeer(stack: AsyncDisposableStack, databaseUrl: string): Promise<RequestPage> {
  const port = await freePort()
  const peer = startLoad(stack, 'peers/list-server', [port, databaseUrl])
  await peer.request({})
  return (list, view, offset) => {
    const url = new URL(`http://127.0.0.1:${port}/${list}?limit=${limit}&offset=${offset}`)
    if (view === 'search') url.searchParams.set('search', search)
    const isUp = list === 'files' ? view === 'reversed' : view !== 'reversed' || list === 'units'
    url.searchParams.set('dir', isUp ? 'asc' : 'desc')
    return total(url)
  }
}

/** One row for each page of a list; none of a list that was not measured. */
const rowsOf = (who: string, all: readonly Times[], list: List): Row[] =>
  pages.flatMap((page) => {
    const times = all.filter((one) => one.list === list && one.page === page)
    const cells = times.flatMap(({ view, p50, p99 }) => [
      [`${view} p50 ms`, rounded(p50, 2)],
      [`${view} p99 ms`, rounded(p99, 2)],
    ])
    return times.length === 0 ? [] : [{ who: `${who}, ${page} page`, ...Object.fromEntries(cells) }]
  })

/** The typical ratio over the lists and views that both sides have. */
function ratioOf(above: readonly Times[], below: readonly Times[]): number {
  const ratios = above.flatMap(({ list, view, p50 }) => {
    const same = below.find((one) => one.list === list && one.view === view)
    return same ? [p50 / same.p50] : []
  })
  return median(ratios)
}

/** The slowest page, as its 99th percentile in ms. */
const slowest = (all: readonly Times[]): number => Math.max(...all.map(({ p99 }) => p99))

const ofPage = (all: readonly Times[], page: Page) => all.filter((one) => one.page === page)

export const benchLists: Bench = async (stack): Promise<BenchResult> => {
  const binaries = findPostgresql()
  if (!binaries) throw new Error('PostgreSQL is not installed')
  const server = await startPrivatePostgresql(binaries)
  stack.defer(server.stop)
  const engines = { SQLite: await openCore(stack), PostgreSQL: await openCore(stack, server.url) }
  const sides = new Map<string, readonly Times[]>()
  for (const [engine, requestAs] of Object.entries(engines))
    for (const caller of callers)
      sides.set(`${engine}, ${caller}`, await measure(requestAs[caller], requests.ofCore, listsOf[caller]))
  const peer = await measure(await openPeer(stack, server.url), requests.ofPeer)
  sides.set('fastify + pg, plain OFFSET', peer)
  const timesOf = (engine: keyof typeof engines, caller: Caller) => sides.get(`${engine}, ${caller}`) ?? []
  const againstPeer = (page: Page) =>
    ratioOf(ofPage(timesOf('PostgreSQL', 'super user'), page), ofPage(peer, page))
  const ofCore = [...sides].flatMap(([who, times]) => (who.startsWith('fastify') ? [] : times))
  const searched = ofCore.filter(({ view }) => view === 'search')
  const lastRelativeToFirst = (engine: keyof typeof engines) =>
    callers.map((caller) => ({
      id: `lists-last-page-${engine}-${caller}`.toLowerCase().replaceAll(' ', '-'),
      goal: goals.lastPage,
      what: `last page relative to the first, ${engine}, ${caller}, p50`,
      ratio: ratioOf(ofPage(timesOf(engine, caller), 'last'), ofPage(timesOf(engine, caller), 'first')),
      lowerIsBetter: true,
    }))
  const relativeToSuperUser = (engine: keyof typeof engines) =>
    (['administrator', 'operator'] as const).map((caller) => ({
      what: `${caller} relative to super user, ${engine}, first page, p50`,
      ratio: ratioOf(
        ofPage(timesOf(engine, caller), 'first'),
        ofPage(timesOf(engine, 'super user'), 'first'),
      ),
      lowerIsBetter: true,
    }))
  return {
    name: 'lists',
    title: '(g) Paged lists',
    setting:
      `${rows} users, groups, units and files of one customer, pages of ${limit}: all of them, those with "${search}" in the ` +
      'name, and in reverse order (files newest first, the others by name), as super user, as administrator of the customer ' +
      `and as operator of the group that has the files; ${requests.ofCore} requests one after the other, sent by HTTP with a ` +
      'sign-in. The peer counts and reads the same tables of the same PostgreSQL with a plain OFFSET, and requires no sign-in; ' +
      `it gets ${requests.ofPeer} requests.`,
    tables: lists.map((list) => ({
      caption: `${rows} ${list}`,
      rows: [...sides].flatMap(([who, times]) => rowsOf(who, times, list)),
    })),
    ratios: [
      {
        id: 'lists-p99',
        what: 'the slowest page, p99',
        ratio: slowest(ofCore),
        unit: 'ms',
        goal: goals.p99Ms,
        lowerIsBetter: true,
      },
      {
        id: 'lists-search-p99',
        what: 'the slowest search, p99',
        ratio: slowest(searched),
        unit: 'ms',
        goal: goals.p99Ms,
        lowerIsBetter: true,
      },
      ...lastRelativeToFirst('SQLite'),
      ...lastRelativeToFirst('PostgreSQL'),
      ...relativeToSuperUser('SQLite'),
      ...relativeToSuperUser('PostgreSQL'),
      {
        id: 'lists-peer',
        what: 'first page relative to fastify + pg, p50',
        ratio: againstPeer('first'),
        goal: goals.peer,
        lowerIsBetter: true,
      },
      { what: 'last page relative to fastify + pg, p50', ratio: againstPeer('last'), lowerIsBetter: true },
    ],
    remarks: [
      'A page of the second half is read from the end of the list, by the same index; the middle of a list is the slowest.',
      'Each page contains the total. Core keeps that of a whole list, and counts what a search finds.',
      'A unit of the list shows whether it transmits, a group its members; the peer returns bare rows.',
    ],
  }
}
