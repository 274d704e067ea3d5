// WHIP (RFC 9725) at the door for the public: /whip/{slot} takes an offer, /whip/{slot}/{session} is what the sender ends.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readText, refuse } from '../../web/answers.ts'
import type { WebAnswer } from '../../web/web-door.ts'
import type { WhipInput } from './whip-input.ts'

const LONGEST_OFFER_BYTES = 64 * 1024

const refusals = {
  offer: [400, 'offer: cannot be answered'],
  codec: [422, 'offer: must have H.264 for video and Opus for sound'],
  busy: [409, 'sender: another one is sending to this input'],
} as const

/** Neither a change of addresses nor a restart of ICE is supported: PATCH is answered 405 (RFC 9725 §4.3.1). */
export function createWhipDoor(find: (slot: string) => WhipInput | undefined): WebAnswer {
  return async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://hub')
    const [, slot = '', session] = /^\/whip\/([\w-]{1,32})(?:\/([\w-]{1,64}))?$/.exec(pathname) ?? []
    const input = find(slot)
    if (!input) return refuse(response, 404, 'input: there is none at this address')
    const allowed = session === undefined ? 'POST' : 'DELETE'
    if (request.method !== allowed)
      return refuse(response, 405, `method: must be ${allowed}`, { allow: `${allowed}, OPTIONS` })
    const from = `${request.socket.remoteAddress}:${request.socket.remotePort}`
    const [, given = ''] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
    if (!input.admits(given, from))
      return refuse(response, 401, 'authorization: must be Bearer with the key of the input', {
        'www-authenticate': 'Bearer',
      })
    if (session === undefined) return await publish(request, response, input, slot)
    if (!input.unpublish(session)) return refuse(response, 404, 'session: there is none at this address')
    response.writeHead(200).end()
  }
}

async function publish(
  request: IncomingMessage,
  response: ServerResponse,
  input: WhipInput,
  slot: string,
): Promise<void> {
  if (!/^application\/sdp\b/i.test(request.headers['content-type'] ?? ''))
    return refuse(response, 415, 'content-type: must be application/sdp', {
      'accept-post': 'application/sdp',
    })
  const offer = await readText(request, LONGEST_OFFER_BYTES)
  if (!offer?.startsWith('v=0')) return refuse(response, 400, 'offer: must be SDP')
  const from = `${request.socket.remoteAddress}:${request.socket.remotePort}`
  const publication = await input.publish(offer, from)
  if (typeof publication === 'string') {
    const [status, message] = refusals[publication]
    return refuse(response, status, message)
  }
  const { id, answer } = publication
  // Relative to the address of the request, which a proxy may have extended.
  response.writeHead(201, { 'content-type': 'application/sdp', location: `${slot}/${id}` })
  response.end(answer)
}
