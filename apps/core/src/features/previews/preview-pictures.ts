// Stills and WebRTC sessions of channels, passed on between a signed-in browser and the server that shows the channel.
import { Conflict, NotAllowed, NotFound, Refusal, Unavailable } from '@backhaul/contract/define/errors'
import { PREVIEW_KEY_HEADER } from '@backhaul/contract/gateway/shared'
import { mayDo } from '@backhaul/contract/nouns/actions'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Scope } from '../../database/scope.ts'
import type { Api } from '../../doors/api/api.ts'
import { urlHost } from '../../doors/source-address.ts'
import type { Channels } from '../channels/channels.ts'
import type { PreviewGate } from './preview-gate.ts'
import type { PreviewPlace } from './preview-place.ts'

const answersWithinMs = 10_000
/** Sessions whose end was never told are forgotten first. */
const sessionsAtMost = 2000

interface Needs {
  channels: Channels
  isReadable(scope: Scope, channelId: string): boolean
  closed: PreviewGate
  previewKey: () => string
  placeOf: (channelId: string) => PreviewPlace | undefined
}

interface Session {
  place: PreviewPlace
  userId: string
  channelId: string
}

export function servePictures(api: Api, { channels, isReadable, closed, previewKey, placeOf }: Needs): void {
  const sessions = new Map<string, Session>()

  /** Throws NotSignedIn, NotAllowed, NotFound for a channel out of the caller's reach, Conflict where previews are off, Unavailable when nobody shows it. */
  async function admit(request: FastifyRequest): Promise<Session> {
    const caller = await api.signedIn(request)
    if (!mayDo(caller.roles, 'watchTransmissions')) throw new NotAllowed()
    const { id } = request.params as { id: string }
    const channel = isReadable(caller.scope, id) ? channels.known(id) : undefined
    if (!channel) throw new NotFound('Channel')
    const reason = await closed(channel.inventoryId)
    if (reason !== undefined) throw new Conflict(reason)
    const place = placeOf(id)
    if (!place) throw new Unavailable('The server of this channel is not connected')
    return { place, userId: caller.userId, channelId: id }
  }

  async function ask({ host, port, name }: PreviewPlace, rest: string, init: RequestInit): Promise<Response> {
    const url = `http://${urlHost(host)}:${port}/channels/${encodeURIComponent(name)}/${rest}`
    try {
      return await fetch(url, {
        ...init,
        // A server speaks for itself alone: it sends core nowhere else, neither inside the operator's network.
        redirect: 'error',
        headers: { ...(init.headers as Record<string, string>), [PREVIEW_KEY_HEADER]: previewKey() },
        signal: AbortSignal.timeout(answersWithinMs),
      })
    } catch {
      throw new Unavailable('The server of this channel does not answer')
    }
  }

  /** The server's refusal in its own words. */
  async function demandSuccess(answer: Response): Promise<void> {
    if (answer.ok) return
    const body = (await answer.json().catch(() => ({}))) as { message?: string }
    throw new Refusal(answer.status === 401 ? 503 : answer.status, body.message ?? 'No preview')
  }

  async function still(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { place } = await admit(request)
    const answer = await ask(place, 'still.jpg', {})
    await demandSuccess(answer)
    return reply
      .type('image/jpeg')
      .header('cache-control', 'no-store')
      .header('x-still-time', answer.headers.get('x-still-time') ?? '')
      .send(Buffer.from(await answer.arrayBuffer()))
  }

  async function open(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const session = await admit(request)
    const answer = await ask(session.place, 'whep', {
      method: 'POST',
      headers: { 'content-type': 'application/sdp' },
      body: String(request.body ?? ''),
    })
    await demandSuccess(answer)
    const id = answer.headers.get('location')?.split('/').at(-1) ?? ''
    sessions.set(id, session)
    const oldest = sessions.keys().next().value
    if (sessions.size > sessionsAtMost && oldest !== undefined) sessions.delete(oldest)
    return reply
      .code(201)
      .type('application/sdp')
      .header('location', `/preview/${encodeURIComponent(session.channelId)}/whep/${id}`)
      .send(await answer.text())
  }

  async function close(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await api.signedIn(request)
    const { session: id } = request.params as { session: string }
    const session = sessions.get(id)
    if (session?.userId !== caller.userId) throw new NotFound('Preview')
    sessions.delete(id)
    await ask(session.place, `whep/${id}`, { method: 'DELETE' })
    return reply.code(200).send()
  }

  api.app.addContentTypeParser('application/sdp', { parseAs: 'string' }, (_, body, done) => done(null, body))
  api.app.get('/preview/:id/still.jpg', still)
  api.app.post('/preview/:id/whep', open)
  api.app.delete('/preview/:id/whep/:session', close)
}
