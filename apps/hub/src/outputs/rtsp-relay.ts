// Signs in at an RTSP destination for ffmpeg, which must not have the password: ffmpeg sends to this relay on 127.0.0.1.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Credentials } from './credentials.ts'
import { dial, farAddressOf, ffmpegTextOf } from './far-end.ts'
import { type Authorization, answerTo } from './http-authorization.ts'
import { bytesOf, createRtspReader, headersOf, type RtspMessage, withHeader } from './rtsp-messages.ts'

export interface RtspRelay {
  /** The address that ffmpeg sends to. */
  readonly url: string
  /** Why the destination could not be reached: ffmpeg only sees that the relay closes the connection. */
  problem(): string | undefined
  close(): void
}

interface PendingRequest {
  readonly request: RtspMessage
  /** The number that ffmpeg gave the request. */
  readonly cseq: string
  hasSignedIn: boolean
}

/**
 * Accepts one connection: other users of this machine must not send with the password.
 *
 * A request is passed on with a number of the relay, the address of the destination and, once the destination has sent a
 * challenge, the authorization; the challenged request is repeated. Packets are passed on unchanged.
 */
export async function openRtspRelay(farUrl: string, credentials: Credentials): Promise<RtspRelay> {
  const far = farAddressOf(farUrl)
  const [farBase = ''] = /^[a-z]+:\/\/[^/?#]+/.exec(farUrl) ?? []
  let problem: string | undefined
  let sockets: readonly Socket[] = []
  const server = createServer((near) => {
    server.close()
    const dialled = dial(far)
    sockets = [near, dialled]
    serve(near, dialled)
  })
  server.maxConnections = 1
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const nearBase = `rtsp://127.0.0.1:${(server.address() as AddressInfo).port}`

  function serve(near: Socket, distant: Socket): void {
    const pending = new Map<string, PendingRequest>()
    let authorization: Authorization | undefined
    let lastNumber = 0

    function forward(one: PendingRequest): void {
      const number = String(++lastNumber)
      pending.set(number, one)
      const [line = '', ...headers] = one.request.head
      const [method = '', uri = '', version = ''] = line.split(' ')
      const farUri = uri.startsWith(nearBase) ? farBase + uri.slice(nearBase.length) : uri
      const request = { head: [`${method} ${farUri} ${version}`, ...headers], body: one.request.body }
      const numbered = withHeader(request, 'CSeq', number)
      const who = authorization?.next(method, farUri)
      distant.write(bytesOf(who === undefined ? numbered : withHeader(numbered, 'Authorization', who)))
    }

    function answer(reply: RtspMessage): void {
      // A request of the destination itself.
      if (!isReply(reply)) return void near.write(bytesOf(reply))
      const [number = ''] = headersOf(reply, 'cseq')
      const one = pending.get(number)
      pending.delete(number)
      const [, status] = (reply.head[0] ?? '').split(' ')
      if (one && status === '401' && !one.hasSignedIn) {
        authorization = answerTo(headersOf(reply, 'www-authenticate'), credentials)
        if (authorization) {
          forward({ ...one, hasSignedIn: true })
          return
        }
      }
      const { head, body } = one ? withHeader(reply, 'CSeq', one.cseq) : reply
      near.write(bytesOf({ head: head.map((line) => line.replaceAll(farBase, nearBase)), body }))
    }

    const fromNear = createRtspReader({
      onMessage(message) {
        if (isReply(message)) distant.write(bytesOf(message))
        else forward({ request: message, cseq: headersOf(message, 'cseq')[0] ?? '', hasSignedIn: false })
      },
      onPacket: (packet) => distant.write(packet),
    })
    const fromFar = createRtspReader({ onMessage: answer, onPacket: (packet) => near.write(packet) })
    join(near, distant, fromNear)
    join(distant, near, fromFar)
    distant.on('error', (error) => {
      problem ??= ffmpegTextOf(error)
    })
  }

  return {
    url: nearBase + farUrl.slice(farBase.length),
    problem: () => problem,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Reads from one side no faster than the other side accepts; when one side closes, so does the other. */
function join(from: Socket, to: Socket, take: (bytes: Buffer) => void): void {
  from.setNoDelay(true)
  from.on('data', (bytes: Buffer) => {
    try {
      take(bytes)
    } catch {
      from.destroy()
    }
    if (to.writableNeedDrain) from.pause()
  })
  to.on('drain', () => from.resume())
  from.on('error', () => {})
  from.on('close', () => to.destroySoon())
}

const isReply = ({ head }: RtspMessage): boolean => head[0]?.startsWith('RTSP/') === true
