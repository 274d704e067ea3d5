/** (g) Paged lists: the first and the last page of long lists on both databases, against bare fastify and pg. */

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { api } from '@backhaul/contract/api/api'
import { pathOf } from '@backhaul/contract/define/endpoint'
import pg from 'pg'
import { startPrivatePostgresql } from '../scripts/private-postgresql.ts'
import { findPostgresql } from '../scripts/setup.mjs'
import { signIn } from '../tests/stage/person.ts'
import { adminPassword, openStage } from '../tests/stage/stage.ts'
import type { Bench, BenchResult, Row } from './bench-result.ts'
import { median, quantile, rounded } from './figures.ts'
import { fillLists } from './fill-lists.ts'
import { freePort, startLoad } from './load/load-program.ts'

/** BENCH_LIST_ROWS makes a trial of a full run. */
const rows = Number(process.env.BENCH_LIST_ROWS ?? 100_000)
const requests = 60
const limit = 50
const search = '1234'

const lists = ['users', 'groups', 'units'] as const
type List = (typeof lists)[number]
const views = ['all', 'search', 'descending'] as const
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

async function total(url: URL, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(url, { headers })
  const answer = (await response.json()) as { total?: number; data?: { total: number } }
  const found = answer.data?.total ?? answer.total
  if (found === undefined) throw new Error(`${url.pathname}: ${response.status} ${JSON.stringify(answer)}`)
  return found
}

async function measure(requestPage: RequestPage): Promise<Times[]> {
  const all: Times[] = []
  for (const list of lists)
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

/** Core with full tables; the rows come after its start, since lists are read from the database. */
async function openCore(stack: AsyncDisposableStack, databaseUrl?: string): Promise<RequestPage> {
  const stage = await openStage(databaseUrl === undefined ? {} : { env: { DATABASE_URL: databaseUrl } })
  stack.defer(stage.stop)
  const person = await signIn(stage.url, 'admin', adminPassword)
  const inventory = await person.call(api.inventories.create, { body: { name: 'Long Lists' } })
  if (databaseUrl === undefined) {
    const file = new DatabaseSync(join(stage.dataFolder, 'core', 'backhaul.db'))
    await fillLists('sqlite', async (text) => file.exec(text), inventory.id, rows)
    file.close()
  } else {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    await fillLists('postgres', (text) => client.query(text), inventory.id, rows)
    await client.end()
  }
  const paths: Record<List, string> = {
    users: pathOf(api.users.list),
    groups: pathOf(api.groupAdministration.list),
    units: `${pathOf(api.groupAdministration.choices, { id: inventory.id })}?kind=unit`,
  }
  // Filling takes long; the connection of the sign-in may be closed by now.
  await fetch(`${stage.url}/healthz`).catch(() => {})
  const headers = { cookie: person.cookie, 'application-id': 'bench' }
  return (list, view, offset) => {
    const url = new URL(paths[list], stage.url)
    url.searchParams.set('limit', String(limit))
    url.searchParams.set('offset', String(offset))
    if (view === 'search') url.searchParams.set('search', search)
    // The choices of a group have one order alone.
    if (view === 'descending' && list !== 'units') url.searchParams.set('sort', 'name,desc')
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
    if (view === 'descending' && list !== 'units') url.searchParams.set('dir', 'desc')
    return total(url)
  }
}

const rowsOf = (who: string, all: readonly Times[], list: List): Row[] =>
  pages.map((page) => {
    const cells = views.flatMap((view) => {
      const times = all.find((one) => one.list === list && one.view === view && one.page === page)
      return [
        [`${view} p50 ms`, rounded(times?.p50 ?? Number.NaN, 2)],
        [`${view} p99 ms`, rounded(times?.p99 ?? Number.NaN, 2)],
      ]
    })
    return { who: `${who}, ${page} page`, ...Object.fromEntries(cells) }
  })

/** The typical ratio over lists and views of two measured sides. */
function ratioOf(above: readonly Times[], below: readonly Times[]): number {
  return median(above.map(({ p50 }, at) => p50 / (below[at]?.p50 ?? Number.NaN)))
}

const ofPage = (all: readonly Times[], page: Page) => all.filter((one) => one.page === page)

export const benchLists: Bench = async (stack): Promise<BenchResult> => {
  const binaries = findPostgresql()
  if (!binaries) throw new Error('PostgreSQL is not installed')
  const server = await startPrivatePostgresql(binaries)
  stack.defer(server.stop)
  const sides: [who: string, times: Times[]][] = []
  sides.push(['Backhaul core, SQLite', await measure(await openCore(stack))])
  const onPostgres = await openCore(stack, server.url)
  sides.push(['Backhaul core, PostgreSQL', await measure(onPostgres)])
  sides.push(['fastify + pg, plain OFFSET', await measure(await openPeer(stack, server.url))])
  const [sqlite = [], postgres = [], peer = []] = sides.map(([, times]) => times)
  const againstPeer = (page: Page) => ratioOf(ofPage(postgres, page), ofPage(peer, page))
  return {
    name: 'lists',
    title: '(g) Paged lists',
    setting:
      `${rows} users, groups and units of one customer, pages of ${limit} by name: all of them, those with "${search}" in ` +
      `the name, and in descending order; ${requests} requests one after the other, sent by HTTP with a sign-in. The peer ` +
      'counts and reads the same tables of the same PostgreSQL with a plain OFFSET, and requires no sign-in.',
    tables: lists.map((list) => ({
      caption: `${rows} ${list}`,
      rows: sides.flatMap(([who, times]) => rowsOf(who, times, list)),
    })),
    ratios: [
      {
        what: 'last page beside the first, SQLite, p50',
        ratio: ratioOf(ofPage(sqlite, 'last'), ofPage(sqlite, 'first')),
        lowerIsBetter: true,
      },
      {
        what: 'last page beside the first, PostgreSQL, p50',
        ratio: ratioOf(ofPage(postgres, 'last'), ofPage(postgres, 'first')),
        lowerIsBetter: true,
      },
      { what: 'first page beside fastify + pg, p50', ratio: againstPeer('first'), lowerIsBetter: true },
      { what: 'last page beside fastify + pg, p50', ratio: againstPeer('last'), lowerIsBetter: true },
    ],
    remarks: [
      'A page of the second half is read from the end of the list, by the same index; the middle of a list is the slowest.',
      'Each page contains the total, and counting reads every row that matches: it is most of the time of a search.',
      'A unit of the list shows whether it transmits, a group its members; the peer returns bare rows.',
    ],
  }
}
