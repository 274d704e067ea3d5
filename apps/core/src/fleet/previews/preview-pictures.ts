// Stills and WebRTC sessions of channels, passed on between a signed-in browser and the server that shows the channel.

import { mayDo } from '@backhaul/contract/define/actions'
import { Conflict, NotAllowed, NotFound, Refusal, Unavailable } from '@backhaul/contract/define/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Scope } from '../../database/scope.ts'
import type { Api } from '../../doors/api/api.ts'
import { urlHost } from '../../doors/source-address.ts'
import type { Channels } from '../channels/channels.ts'
import type { Devices } from '../devices/devices.ts'
import type { PreviewGate } from './preview-gate.ts'
import type { PreviewPlace } from './preview-place.ts'
import type { Viewer, Viewers } from './preview-viewers.ts'

const answersWithinMs = 10_000
/** Sessions whose end was never reported are dropped first. */
const sessionsAtMost = 2000

interface Needs {
  channels: Channels
  viewers: Viewers
  isReadable(scope: Scope, channelId: string): boolean
  closed: PreviewGate
  signed: Devices['signed']
  placeOf: (channelId: string) => PreviewPlace | undefined
}

interface Admitted extends Pick<Viewer, 'caller'> {
  channelId: string
  place: PreviewPlace
}

interface Session extends Admitted, Viewer {
  channelId: string
  /** Its id at the server; undefined until the server has answered. */
  id: string | undefined
}

export function servePictures(api: Api, needs: Needs): void {
  const { channels, viewers, isReadable, closed, signed, placeOf } = needs
  const sessions = new Map<string, Session>()

  /** Throws NotSignedIn, NotAllowed, also during a private session, NotFound for a channel out of the caller's scope, Conflict where previews are off, Unavailable when no server shows it. */
  async function admit(request: FastifyRequest): Promise<Admitted> {
    const caller = await api.signedIn(request)
    if (!mayDo(caller.roles, 'watchTransmissions')) throw new NotAllowed()
    const { id } = request.params as { id: string }
    const channel = isReadable(caller.scope, id) ? channels.known(id) : undefined
    if (!channel) throw new NotFound('channel')
    channels.requireJoin(caller, channel)
    const reason = await closed(channel.inventoryId)
    if (reason !== undefined) throw new Conflict(reason)
    const place = placeOf(id)
    if (!place) throw new Unavailable('preview.serverOffline')
    return { caller, channelId: id, place }
  }

  async function fetchFromServer(place: PreviewPlace, rest: string, init: RequestInit): Promise<Response> {
    const { serverId, host, port, name } = place
    const path = `/channels/${encodeURIComponent(name)}/${rest}`
    const signature = signed(serverId, { method: init.method ?? 'GET', path })
    try {
      return await fetch(`http://${urlHost(host)}:${port}${path}`, {
        ...init,
        // A server answers for itself only: core follows no redirect, which could lead into the operator's network.
        redirect: 'error',
        headers: { ...(init.headers as Record<string, string>), ...signature },
        signal: AbortSignal.timeout(answersWithinMs),
      })
    } catch {
      throw new Unavailable('preview.serverSilent')
    }
  }

  /** Throws the server's refusal with its reason. */
  async function requireSuccess(answer: Response): Promise<void> {
    if (answer.ok) return
    const { message } = (await answer.json().catch(() => ({}))) as { message?: string }
    const why = message === undefined ? ('preview.none' as const) : { message }
    throw new Refusal(answer.status === 401 ? 503 : answer.status, why)
  }

  async function still(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { place } = await admit(request)
    const answer = await fetchFromServer(place, 'still.jpg', {})
    await requireSuccess(answer)
    return reply
      .type('image/jpeg')
      .header('cache-control', 'no-store')
      .header('x-still-time', answer.headers.get('x-still-time') ?? '')
      .send(Buffer.from(await answer.arrayBuffer()))
  }

  async function open(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const session: Session = { ...(await admit(request)), id: undefined, end: () => void end(session) }
    // From here on: the rights may end while the server answers.
    viewers.add(session)
    try {
      const answer = await fetchFromServer(session.place, 'whep', {
        method: 'POST',
        headers: { 'content-type': 'application/sdp' },
        body: String(request.body ?? ''),
      })
      await requireSuccess(answer)
      const id = answer.headers.get('location')?.split('/').at(-1) ?? ''
      session.id = id
      remember(id, session)
      const sdp = await answer.text()
      if (!viewers.has(session)) throw new NotFound('channel')
      return reply
        .code(201)
        .type('application/sdp')
        .header('location', `/preview/${encodeURIComponent(session.channelId)}/whep/${id}`)
        .send(sdp)
    } catch (error) {
      await end(session)
      throw error
    }
  }

  function remember(id: string, session: Session): void {
    sessions.set(id, session)
    const [oldest] = sessions
    if (sessions.size <= sessionsAtMost || !oldest) return
    sessions.delete(oldest[0])
    viewers.delete(oldest[1])
  }

  /** The server is informed; when it is gone, so is the session. */
  async function end(session: Session): Promise<void> {
    viewers.delete(session)
    const { id, place } = session
    if (id === undefined || !sessions.delete(id)) return
    await fetchFromServer(place, `whep/${id}`, { method: 'DELETE' }).catch(() => {})
  }

  async function close(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const caller = await api.signedIn(request)
    const { session: id } = request.params as { session: string }
    const session = sessions.get(id)
    if (session?.caller.userId !== caller.userId) throw new NotFound('preview')
    await end(session)
    return reply.code(200).send()
  }

  api.app.addContentTypeParser('application/sdp', { parseAs: 'string' }, (_, body, done) => done(null, body))
  api.app.get('/preview/:id/still.jpg', still)
  api.app.post('/preview/:id/whep', open)
  api.app.delete('/preview/:id/whep/:session', close)
}
