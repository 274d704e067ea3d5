// Every call of the specification's tables, at a running core with a simulated fleet.
import { allEndpoints } from '@backhaul/contract/api/api'
import { CSRF_COOKIE, CSRF_HEADER, REST_BASE } from '@backhaul/contract/define/endpoint'
import { expect, test } from 'vitest'
import { openDemo } from '../stage/demo.ts'
import { signIn } from '../stage/person.ts'
import { adminPassword } from '../stage/stage.ts'

/** The number of calls of each table; EP-NOTIF-02 has no address, EP-PUSH-01 is the push socket. */
const tables = {
  ADMU: 21,
  ALERT: 2,
  CHAN: 46,
  CHFILE: 7,
  CLIENT: 10,
  GRP: 37,
  INV: 46,
  NOTIF: 3,
  P2P: 9,
  POWER: 2,
  SRV: 25,
  STRM: 19,
  UCMD: 32,
  UFILE: 4,
  UREAD: 14,
  USET: 48,
  UWRITE: 9,
  VRCH: 17,
}
const expected = Object.entries(tables)
  .flatMap(([table, count]) =>
    Array.from({ length: count }, (_, at) => `EP-${table}-${String(at + 1).padStart(2, '0')}`),
  )
  .filter((row) => row !== 'EP-NOTIF-02')

test('[LIVE-009] every call of the tables is answered, by a core with a simulated fleet', async () => {
  const endpoints = allEndpoints()
  const named = new Set(endpoints.flatMap(({ endpoint }) => endpoint.rows))
  expect(expected.filter((row) => !named.has(row))).toEqual([])

  const demo = await openDemo(60)
  try {
    const signedIn = async () => (await signIn(demo.url, 'admin', adminPassword)).cookie
    let cookie = await signedIn()
    const send = ({ method, path }: { method: string; path: string }) => {
      const place = path.startsWith('origin:') ? path.slice('origin:'.length) : REST_BASE + path
      const csrf = new RegExp(`${CSRF_COOKIE}=([^;]*)`).exec(cookie)?.[1] ?? ''
      const headers = { accept: 'application/json', 'application-id': 'stage', cookie }
      return fetch(demo.url + place.replaceAll(/\{\w+\}/g, 'none'), {
        method,
        ...(method === 'GET'
          ? { headers }
          : {
              headers: {
                ...headers,
                'content-type': 'application/json',
                [CSRF_HEADER]: decodeURIComponent(csrf),
              },
              body: '{}',
            }),
      })
    }
    const unknown: string[] = []
    for (const { name, endpoint } of endpoints) {
      let response = await send(endpoint)
      if (response.status === 401) {
        // A call before has ended the sign-in.
        cookie = await signedIn()
        response = await send(endpoint)
      }
      const text = await response.text()
      if (response.status >= 500 || text.includes('request.unknownCall'))
        unknown.push(`${name}: ${response.status} ${text.slice(0, 200)}`)
    }
    expect(unknown).toEqual([])
    // The fleet still reports.
    expect(await demo.ready(8)).not.toEqual([])
  } finally {
    await demo.stop()
  }
})
