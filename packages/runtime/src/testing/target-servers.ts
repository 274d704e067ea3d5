// Servers that take files in: FTP and SFTP from libraries, each with a folder of its own on the disk, and one like S3.
import { createHash, createHmac, generateKeyPairSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { open, rename, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createNetServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FtpSrv } from 'ftp-srv'
import ssh2, { type SFTPWrapper } from 'ssh2'

export interface TargetServer {
  /** Without a folder. */
  url: string
  /** The folder of its files. */
  folder: string
  close(): Promise<void>
}

export const account = { username: 'backhaul', secret: 'in-and-out' }

async function freePort(): Promise<number> {
  const server = createNetServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'backhaul-target-'))

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {}, child: () => silent }

/** The certificate of a TLS server, as PEM. */
export interface ServerCertificate {
  cert: string
  key: string
}

/** With a certificate it admits only clients that encrypt (RFC 4217). */
export async function openFtpServer(tls?: ServerCertificate): Promise<TargetServer> {
  const folder = newFolder()
  const url = `ftp://127.0.0.1:${await freePort()}`
  const server = new FtpSrv({ url, pasv_url: '127.0.0.1', log: silent, ...(tls && { tls }) })
  server.on('login', ({ connection, username, password }, accept, refuse) => {
    const isEncrypted = (connection as unknown as { secure?: boolean }).secure === true
    if (tls && !isEncrypted) refuse(new Error('TLS is required'))
    else if (username === account.username && password === account.secret) accept({ root: folder })
    else refuse(new Error('Wrong name or password'))
  })
  await server.listen()
  return {
    url: tls ? url.replace('ftp:', 'ftps:') : url,
    folder,
    async close() {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export interface SftpServer extends TargetServer {
  /** As `ssh-keygen -l` shows it. */
  hostKey: string
}

export async function openSftpServer(): Promise<SftpServer> {
  const folder = newFolder()
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  const parsed = ssh2.utils.parseKey(privateKey)
  if (parsed instanceof Error) throw parsed
  const digest = createHash('sha256').update(parsed.getPublicSSH()).digest('base64')
  const server = new ssh2.Server({ hostKeys: [privateKey] }, (client) => {
    client.on('error', () => {})
    client.on('authentication', (context) => {
      const isRight = context.method === 'password' && context.password === account.secret
      if (isRight && context.username === account.username) context.accept()
      else context.reject(['password'])
    })
    client.on('session', (accept) => accept().on('sftp', (acceptSftp) => serveSftp(acceptSftp(), folder)))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `sftp://127.0.0.1:${port}`,
    folder,
    hostKey: `SHA256:${digest.replace(/=+$/, '')}`,
    async close() {
      await new Promise<void>((done) => server.close(() => done()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const { STATUS_CODE } = ssh2.utils.sftp

function serveSftp(sftp: SFTPWrapper, folder: string): void {
  const files = new Map<number, Awaited<ReturnType<typeof open>>>()
  const pathOf = (path: string) => join(folder, join('/', path))
  const answer = (id: number, run: () => Promise<unknown>) =>
    void run().then(
      () => sftp.status(id, STATUS_CODE.OK),
      (error: NodeJS.ErrnoException) =>
        sftp.status(id, error.code === 'ENOENT' ? STATUS_CODE.NO_SUCH_FILE : STATUS_CODE.FAILURE),
    )
  let handles = 0
  sftp.on('close', () => {
    for (const file of files.values()) void file.close().catch(() => {})
  })
  sftp
    .on('OPEN', (id: number, path: string, flags: number) =>
      open(pathOf(path), ssh2.utils.sftp.flagsToString(flags) ?? 'r').then(
        (file) => {
          files.set(++handles, file)
          const handle = Buffer.alloc(4)
          handle.writeUInt32BE(handles)
          sftp.handle(id, handle)
        },
        () => sftp.status(id, STATUS_CODE.FAILURE),
      ),
    )
    .on('WRITE', (id: number, handle: Buffer, at: number, data: Buffer) =>
      answer(id, async () => await files.get(handle.readUInt32BE())?.write(data, 0, data.length, at)),
    )
    .on('CLOSE', (id: number, handle: Buffer) =>
      answer(id, async () => await files.get(handle.readUInt32BE())?.close()),
    )
    .on('STAT', (id: number, path: string) =>
      stat(pathOf(path)).then(
        ({ size, mode, uid, gid, atimeMs, mtimeMs }) =>
          sftp.attrs(id, { size, mode, uid, gid, atime: atimeMs / 1000, mtime: mtimeMs / 1000 }),
        () => sftp.status(id, STATUS_CODE.NO_SUCH_FILE),
      ),
    )
    .on('FSETSTAT', (id: number) => sftp.status(id, STATUS_CODE.OK))
    .on('MKDIR', (id: number, path: string) => answer(id, async () => mkdirSync(pathOf(path))))
    .on('RENAME', (id: number, from: string, to: string) =>
      answer(id, () => rename(pathOf(from), pathOf(to))),
    )
}

export interface S3Server {
  url: string
  /** By key, with the bucket. */
  objects: Map<string, Buffer>
  /** Methods and addresses that were answered. */
  requests: string[]
  /** The next part with this number is refused. */
  failPart(number: number): void
  close(): Promise<void>
}

/** Path style; checks each signature by the specification, version 4. */
export async function openS3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>()
  const requests: string[] = []
  const uploads = new Map<string, Map<number, Buffer>>()
  let failing = 0

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://s3')
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))
    const key = decodeURIComponent(url.pathname.slice(1))
    const part = Number(url.searchParams.get('partNumber'))
    const upload = uploads.get(url.searchParams.get('uploadId') ?? '')
    const give = (status: number, text = '', headers = {}) => response.writeHead(status, headers).end(text)
    requests.push(`${request.method} ${request.url}`)
    if (!isSignedByAccount(request))
      return void give(403, '<Error><Code>SignatureDoesNotMatch</Code></Error>')
    if (request.method === 'HEAD') {
      const length = objects.get(key)?.length
      return void give(
        length === undefined ? 404 : 200,
        '',
        length === undefined ? {} : { 'content-length': length },
      )
    }
    if (request.method === 'GET') return void give(200, '<ListBucketResult/>')
    if (request.method === 'POST' && url.searchParams.has('uploads')) {
      uploads.set('upload-1', new Map())
      return void give(
        200,
        '<InitiateMultipartUploadResult><UploadId>upload-1</UploadId></InitiateMultipartUploadResult>',
      )
    }
    if (part > 0 && part === failing) {
      failing = 0
      return void give(503, '<Error><Code>SlowDown</Code></Error>')
    }
    if (part > 0) {
      upload?.set(part, body)
      return void give(200, '', { etag: `"part-${part}"` })
    }
    if (request.method === 'POST') {
      const tags = [...body.toString().matchAll(/"part-(\d+)"/g)].map(([, number]) => Number(number))
      objects.set(key, Buffer.concat(tags.map((number) => upload?.get(number) ?? Buffer.alloc(0))))
      return void give(200, '<CompleteMultipartUploadResult/>')
    }
    objects.set(key, body)
    give(200)
  }

  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    requests,
    failPart: (number) => {
      failing = number
    },
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function isSignedByAccount({ method, url = '', headers }: IncomingMessage): boolean {
  const { pathname, searchParams } = new URL(url, 'http://s3')
  const pattern =
    /Credential=([^/]+)\/(\d+)\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)/
  const [, id, day = '', region = '', names = '', signature] = pattern.exec(headers.authorization ?? '') ?? []
  const encode = (text: string) =>
    encodeURIComponent(text).replaceAll(
      /[!'()*]/g,
      (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
    )
  const query = [...searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).toSorted()
  const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const path = pathname
    .split('/')
    .map((part) => encode(decodeURIComponent(part)))
    .join('/')
  const payload = headers['x-amz-content-sha256']
  const canonical = [method, path, query.join('&'), signed.join(''), names, payload].join('\n')
  const hash = createHash('sha256').update(canonical).digest('hex')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash].join('\n')
  const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${account.secret}`)
  return id === account.username && hmac(key, text).toString('hex') === signature
}
