// A script of its own, ahead of all others: requests the first data before the page can run.
import { client } from '@backhaul/contract/api/client'
import {
  type AnyEndpoint,
  APPLICATION_ID_HEADER,
  CSRF_COOKIE,
  pathOf,
} from '@backhaul/contract/define/endpoint'
import { answersWithinMs } from '@backhaul/contract/define/waits'
import { applicationId } from '../doors/application-id.ts'
import type { EarlyAnswer } from '../doors/early-answers.ts'
import { isOpenPath } from './special-pages.ts'

const answers = new Map<string, Promise<EarlyAnswer>>()

/** Sent once the one before it is answered well: the calls of a start have an order, and a refused one ends it. */
function ask(endpoint: AnyEndpoint, before?: Promise<EarlyAnswer>): Promise<EarlyAnswer> {
  const url = pathOf(endpoint, undefined)
  const answer = (before ?? Promise.resolve()).then(async (answered) => {
    if (answered && answered.status !== 200) throw new Error('the start has ended')
    const headers = {
      accept: 'application/json',
      [APPLICATION_ID_HEADER]: applicationId,
    }
    const signal = AbortSignal.timeout(answersWithinMs(endpoint))
    const reply = await fetch(url, { headers, credentials: 'same-origin', signal })
    return { status: reply.status, text: await reply.text(), atMs: performance.now() }
  })
  answers.set(url, answer)
  answer.catch(() => {})
  return answer
}

/** The files behind the sign-in, by the page itself: see build/early-calls.ts. */
function fetchFiles(): void {
  const names = document.querySelector<HTMLElement>('script[data-behind]')?.dataset.behind?.split(' ') ?? []
  for (const href of names) {
    const link = document.createElement('link')
    const isStyle = href.endsWith('.css')
    Object.assign(link, isStyle ? { rel: 'preload', as: 'style', href } : { rel: 'modulepreload', href })
    document.head.append(link)
  }
}

if (document.cookie.includes(`${CSRF_COOKIE}=`) && !isOpenPath(location.pathname)) {
  globalThis.earlyAnswers = answers
  fetchFiles()
  ask(client.preferences, ask(client.currentUser, ask(client.configuration)))
}
