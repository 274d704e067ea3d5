// Destinations for tests that accept one user, as media servers do, and count the packets that arrive.
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { type AmfValue, readAmf, writeAmf } from '../intake/rtmp/amf.ts'
import { createChunkReader, messageTypes, writeMessage } from '../intake/rtmp/chunks.ts'
import { testCertificate } from './test-certificate.ts'

export interface GuardedEnd {
  readonly port: number
  /** Packets of picture and sound that came after a valid sign-in. */
  taken(): number
  /** Refused sign-ins. */
  wrong(): number
  close(): void
}

const md5 = (encoding: 'hex' | 'base64', text: string) => createHash('md5').update(text).digest(encoding)

/** Plain, or encrypted with a self-signed certificate. */
type Transport = 'tcp' | 'tls'

async function serve(
  transport: Transport,
  accept: (socket: Socket) => void,
): Promise<{ port: number; close(): void }> {
  const sockets = new Set<Socket>()
  const take = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    accept(socket)
  }
  const server = transport === 'tls' ? createTlsServer(await testCertificate(), take) : createServer(take)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** `way`: what it challenges by. */
export async function guardedRtsp(
  way: 'Basic' | 'Digest',
  user: string,
  password: string,
  transport: Transport = 'tcp',
): Promise<GuardedEnd> {
  let taken = 0
  let wrong = 0
  const realm = 'the newsroom'
  const nonce = randomBytes(8).toString('hex')
  const basic = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

  function isAllowed(method: string, header: string): boolean {
    if (way === 'Basic') return header === basic
    const field = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(header)?.[1] ?? ''
    const expected = md5(
      'hex',
      `${md5('hex', `${user}:${realm}:${password}`)}:${nonce}:${md5('hex', `${method}:${field('uri')}`)}`,
    )
    return field('username') === user && field('nonce') === nonce && field('response') === expected
  }

  const server = await serve(transport, (socket) => {
    let waiting = Buffer.alloc(0)
    let isIn = false
    const take = (): boolean => {
      if (waiting[0] === 0x24) {
        if (waiting.length < 4 || waiting.length < 4 + waiting.readUInt16BE(2)) return false
        if (isIn) taken++
        waiting = waiting.subarray(4 + waiting.readUInt16BE(2))
        return true
      }
      const end = waiting.indexOf('\r\n\r\n')
      if (end < 0) return false
      const head = waiting.toString('utf8', 0, end)
      const of = (name: string) => new RegExp(`^${name}: *(.*)$`, 'im').exec(head)?.[1]?.trim() ?? ''
      const whole = end + 4 + Number(of('content-length') || 0)
      if (waiting.length < whole) return false
      waiting = waiting.subarray(whole)
      const [method = ''] = head.split(' ')
      const answer = (status: string, ...more: string[]) =>
        socket.write([`RTSP/1.0 ${status}`, `CSeq: ${of('cseq')}`, ...more, '', ''].join('\r\n'))
      const parameters = way === 'Digest' ? `realm="${realm}", nonce="${nonce}"` : `realm="${realm}"`
      if (method === 'OPTIONS') answer('200 OK', 'Public: ANNOUNCE, SETUP, RECORD, TEARDOWN')
      else if (!isAllowed(method, of('authorization'))) {
        if (of('authorization') !== '') wrong++
        answer('401 Unauthorized', `WWW-Authenticate: ${way} ${parameters}`)
      } else {
        if (method === 'RECORD') isIn = true
        answer('200 OK', 'Session: 7', `Transport: ${of('transport')}`)
      }
      return true
    }
    socket.on('data', (bytes: Buffer) => {
      waiting = Buffer.concat([waiting, bytes])
      while (waiting.length > 0 && take());
    })
  })
  return { ...server, taken: () => taken, wrong: () => wrong }
}

interface RtmpSignIn {
  /** Sent with the refusal of a connection that names its user. */
  readonly challenge: string
  isValid(response: string, query: ReadonlyMap<string, string>, app: string): boolean
}

/** The sign-in to RTMP as the servers of Adobe and of Limelight compute it. */
const rtmpSignIns: Readonly<Record<'adobe' | 'llnw', (user: string, password: string) => RtmpSignIn>> = {
  adobe(user, password) {
    const [salt, opaque] = [randomBytes(4).toString('hex'), randomBytes(4).toString('base64')]
    const ofUser = md5('base64', user + salt + password)
    return {
      challenge: `&salt=${salt}&challenge=${opaque}&opaque=${opaque}`,
      isValid: (response, query) => response === md5('base64', ofUser + opaque + query.get('challenge')),
    }
  },
  llnw(user, password) {
    const nonce = randomBytes(8).toString('base64url')
    const ofUser = md5('hex', `${user}:live:${password}`)
    return {
      challenge: `&nonce=${nonce}`,
      isValid(response, query, app) {
        const ofApp = md5('hex', `publish:/${app}/_definst_`)
        const [count, cnonce] = [query.get('nc'), query.get('cnonce')]
        return (
          query.get('nonce') === nonce &&
          response === md5('hex', `${ofUser}:${nonce}:${count}:${cnonce}:auth:${ofApp}`)
        )
      },
    }
  },
}

/** A connection without a user is refused with the method, one with a user with the challenge. */
export async function guardedRtmp(
  key: string,
  user: string,
  password: string,
  way: 'adobe' | 'llnw' = 'adobe',
  transport: Transport = 'tcp',
): Promise<GuardedEnd> {
  let taken = 0
  let wrong = 0
  const signIn = rtmpSignIns[way](user, password)

  function refusalOf(named: string): string | undefined {
    const [app = '', text = ''] = named.split('?')
    const query = new Map(
      text.split('&').map((pair): [string, string] => {
        const at = pair.indexOf('=')
        return [pair.slice(0, at), pair.slice(at + 1)]
      }),
    )
    const access = `[ AccessManager.Reject ] : [ authmod=${way} ] : `
    if (query.get('user') !== user) return access.replace('authmod', 'code=403 need auth; authmod')
    const response = query.get('response')
    if (response === undefined) return `${access}?reason=needauth&user=${user}${signIn.challenge}`
    if (signIn.isValid(response, query, app)) return undefined
    wrong++
    return `${access}?reason=authfailed`
  }

  const server = await serve(transport, (socket) => {
    let greeting: Buffer | undefined = Buffer.alloc(0)
    let isIn = false
    let isPublishing = false
    const answer = (...values: AmfValue[]) => {
      socket.write(writeMessage(messageTypes.command, writeAmf(...values)))
    }
    const chunks = createChunkReader(({ type, payload }) => {
      if (isPublishing && (type === messageTypes.video || type === messageTypes.audio)) taken++
      if (type !== messageTypes.command) return
      const [name, transaction = 0, command, playpath] = readAmf(payload)
      if (name === 'connect') {
        const refusal = refusalOf(String((command as { app?: string }).app))
        isIn = refusal === undefined
        const chunkBytes = Buffer.alloc(4)
        chunkBytes.writeUInt32BE(65_536)
        socket.write(writeMessage(messageTypes.chunkSize, chunkBytes))
        if (isIn) answer('_result', transaction, null, { code: 'NetConnection.Connect.Success' })
        else {
          const code = 'NetConnection.Connect.Rejected'
          answer('_error', transaction, null, { level: 'error', code, description: refusal ?? '' })
          socket.end()
        }
      } else if (name === 'createStream') answer('_result', transaction, null, 1)
      else if (name === 'publish' && isIn && playpath === key) {
        isPublishing = true
        const status = { level: 'status', code: 'NetStream.Publish.Start', description: 'Publishing.' }
        socket.write(writeMessage(messageTypes.command, writeAmf('onStatus', 0, null, status), 1))
      }
    })
    chunks.allow(8 << 20)
    socket.on('data', (bytes: Buffer) => {
      if (greeting === undefined) return chunks.push(bytes)
      const before = greeting.length
      greeting = Buffer.concat([greeting, bytes])
      if (before < 1537 && greeting.length >= 1537)
        socket.write(Buffer.concat([Buffer.from([3]), Buffer.alloc(1536), greeting.subarray(1, 1537)]))
      if (greeting.length < 1 + 2 * 1536) return
      const rest = greeting.subarray(1 + 2 * 1536)
      greeting = undefined
      chunks.push(rest)
    })
  })
  return { ...server, taken: () => taken, wrong: () => wrong }
}
