// A script of its own, ahead of all others: requests the first data before the page can run.
import { alerts } from '@backhaul/contract/api/alerts'
import { channels } from '@backhaul/contract/api/channels'
import { client } from '@backhaul/contract/api/client'
import { signIns } from '@backhaul/contract/api/sign-ins'
import { units } from '@backhaul/contract/api/units'
import { mayDo } from '@backhaul/contract/define/actions'
import { queryString } from '@backhaul/contract/define/client'
import {
  type AnyEndpoint,
  APPLICATION_ID_HEADER,
  CSRF_COOKIE,
  pathOf,
} from '@backhaul/contract/define/endpoint'
import { answersWithinMs } from '@backhaul/contract/define/waits'
import type { ClientConfiguration } from '@backhaul/contract/nouns/client'
import type { UserPreferences } from '@backhaul/contract/nouns/preferences'
import { applicationId } from '../doors/application-id.ts'
import { type EarlyAnswer, earlyAnswers } from '../doors/early-answers.ts'
import { languageOfBrowser } from '../ui/language-of-browser.ts'
import { isOpenPath, specialPages } from './special-pages.ts'

async function read(url: string, endpoint: AnyEndpoint): Promise<EarlyAnswer> {
  const headers = {
    accept: 'application/json',
    [APPLICATION_ID_HEADER]: applicationId,
  }
  const signal = AbortSignal.timeout(answersWithinMs(endpoint))
  const reply = await fetch(url, { headers, credentials: 'same-origin', signal })
  return { status: reply.status, text: await reply.text(), atMs: performance.now() }
}

/** Unless the page has done so itself meanwhile. */
function request(endpoint: AnyEndpoint, query?: Record<string, string>): void {
  const url = pathOf(endpoint) + queryString(query)
  if (earlyAnswers.has(url)) return
  const answer = read(url, endpoint)
  earlyAnswers.set(url, answer)
  answer.catch(() => {})
}

/** The data of an answer; undefined where there is none. */
async function dataOf<T>(endpoint: AnyEndpoint): Promise<T | undefined> {
  const answer = await earlyAnswers.get(pathOf(endpoint))
  return answer?.status === 200 ? (JSON.parse(answer.text) as { data: T }).data : undefined
}

/** The groups, and the data of the one that the user last worked in, for users who see units at all. */
async function requestFleet(): Promise<void> {
  const [configuration, preferences] = await Promise.all([
    dataOf<ClientConfiguration>(client.configuration),
    dataOf<UserPreferences>(client.preferences),
  ])
  const roles = configuration?.loggedUserRoles ?? []
  if (!mayDo(roles, 'watchTransmissions')) return
  request(client.lightGroups)
  const uid = preferences?.groupId
  if (!uid) return
  request(client.groupFeatures, { uid })
  request(units.ofGroup, { group: uid })
  if (mayDo(roles, 'viewUnits')) request(alerts.active, { groupId: uid })
  request(channels.ofGroup, { group: uid })
}

/**
 * The files that a page waits for in addition to its own scripts, or its words in another language than English, which the
 * scripts have: see build/early-calls.ts.
 */
function fetchFiles(of: string): void {
  const name = `data-files-of-${of}`
  const files = document.querySelector(`script[${name}]`)?.getAttribute(name)?.split(' ') ?? []
  for (const href of files) {
    const link = document.createElement('link')
    // Styles are fetched a second time where they are not requested as the packer's own link requests them.
    const style = { rel: 'preload', as: 'style', crossOrigin: 'anonymous', href }
    Object.assign(link, href.endsWith('.css') ? style : { rel: 'modulepreload', href })
    document.head.append(link)
  }
}

const { pathname } = location
const language = languageOfBrowser()
// The file goes first: a browser has six connections to core, and the answers are small.
if (pathname === specialPages.login) {
  fetchFiles('sign-in')
  for (const endpoint of [signIns.firstRun, signIns.ways]) request(endpoint)
  fetchFiles(`sign-in-${language}`)
} else if (document.cookie.includes(`${CSRF_COOKIE}=`) && !isOpenPath(pathname)) {
  fetchFiles('list')
  // In the order of a start (GAP-API-20); none needs the answer to one before it.
  const first = [client.configuration, client.currentUser, client.preferences, client.applicationUrls]
  for (const endpoint of first) request(endpoint)
  fetchFiles(`list-${language}`)
  requestFleet().catch(() => {})
  // A browser loads its tables of the order of names for the first of these, which takes a slow machine 50 ms: now it waits.
  void new Intl.Collator()
}
