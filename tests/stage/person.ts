/** A user at the public interfaces: signs in, calls endpoints with the contract's client, listens to push. */
import { type Call, createClient } from '@backhaul/contract/define/client'
import { CSRF_COOKIE, SIGN_IN_COOKIE } from '@backhaul/contract/define/endpoint'
import { PUSH_PATH, type PushMessage } from '@backhaul/contract/define/topic'
import { patientMs } from '@backhaul/runtime/testing/until'
import { WebSocket } from 'ws'

export type Person = {
  readonly call: Call
  readonly cookie: string
  /** Listens to topics; `state(topic)` is the reader's state. */
  listen(topics: readonly string[]): Promise<Listener>
}

export type Listener = {
  state(topic: string): Record<string, unknown>
  readonly messages: PushMessage[]
  /** Waits until `check` holds for the state of the topic; fails with that state after `withinMs`. */
  until(
    topic: string,
    check: (state: Record<string, unknown>) => boolean,
    withinMs?: number,
  ): Promise<Record<string, unknown>>
  /** Stops reading until it is resumed, as a browser that hangs. */
  hold(): void
  goOn(): void
  close(): void
}

export async function signIn(url: string, username: string, password: string): Promise<Person> {
  const reply = await fetch(`${url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', 'application-id': 'stage' },
    body: JSON.stringify({ username, password }),
  })
  if (!reply.ok) throw new Error(`sign-in of ${username} was refused: ${reply.status} ${await reply.text()}`)
  const cookies = new Map(
    reply.headers.getSetCookie().map((line) => line.split(';')[0]!.split('=') as [string, string]),
  )
  const cookie = [SIGN_IN_COOKIE, CSRF_COOKIE].map((name) => `${name}=${cookies.get(name)}`).join('; ')
  const call = createClient({
    origin: url,
    fetch: (target, init) => fetch(target, init),
    applicationId: 'stage',
    csrfToken: () => decodeURIComponent(cookies.get(CSRF_COOKIE) ?? ''),
    headers: () => ({ cookie }),
  })
  return { call, cookie, listen: (topics) => listen(url, cookie, topics) }
}

async function listen(url: string, cookie: string, topics: readonly string[]): Promise<Listener> {
  const socket = new WebSocket(url.replace(/^http/, 'ws') + PUSH_PATH, { headers: { cookie } })
  const states = new Map<string, Record<string, unknown>>()
  const messages: PushMessage[] = []
  let wake = () => {}
  socket.on('message', (bytes) => {
    for (const message of JSON.parse(String(bytes)) as PushMessage[]) {
      if (message.topic === undefined) continue
      messages.push(message)
      states.set(message.topic, { ...states.get(message.topic), ...(message.data as object) })
    }
    wake()
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  for (let i = 0; i < topics.length; i += 50)
    socket.send(JSON.stringify({ action: 'subscribe', topics: topics.slice(i, i + 50) }))
  const state = (topic: string) => states.get(topic) ?? {}
  return {
    messages,
    state,
    hold: () => socket.pause(),
    goOn: () => socket.resume(),
    close: () => socket.terminate(),
    async until(topic, check, withinMs = patientMs(60_000)) {
      const deadline = Date.now() + withinMs
      while (!check(state(topic))) {
        const leftMs = deadline - Date.now()
        if (leftMs <= 0)
          throw new Error(`${topic} did not reach the state: ${JSON.stringify(state(topic)).slice(0, 3000)}`)
        await new Promise<void>((resolve) => {
          wake = resolve
          setTimeout(resolve, Math.min(leftMs, 200))
        })
      }
      return state(topic)
    },
  }
}
