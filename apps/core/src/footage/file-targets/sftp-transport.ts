// SFTP, to a server that shows the host key of the target and no other.
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { because } from '@backhaul/contract/define/refusals'
import type { Client, SFTPWrapper, utils } from 'ssh2'
import type { OutwardAddresses } from '../../doors/outward-address.ts'
import { folderTransport } from './folder-transport.ts'
import { foldersOf, type OpenTarget, silentAfterMs, TransferFailure, type Transport } from './transfer.ts'
import { failureOf } from './transfer-failures.ts'

const defaultPort = 22
const aliveEachMs = 10_000
/** The bytes of one request: every server accepts this many. */
const writeBytes = 32 * 1024
const writesAtOnce = 32
/** Status codes of SFTP, draft-ietf-secsh-filexfer-02, 7. */
const [noSuchFile, permissionDenied, anyFailure] = [2, 3, 4]

/** The fingerprint as `ssh-keygen -l` shows it. */
const fingerprintOf = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`

function sftpFailure(error: unknown): Error {
  const { code, level, message } = error as Error & { code?: number | string; level?: string }
  if (level === 'client-authentication')
    return new TransferFailure(because('sending.signInRefused', { error: message }), true)
  if (code === noSuchFile || code === permissionDenied || code === anyFailure)
    return new TransferFailure(because('sending.refused', { error: message }), code !== anyFailure)
  return failureOf(error)
}

async function step<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw sftpFailure(error)
  }
}

/** The secret as a private key where it is one, without a passphrase, otherwise as a password. */
function credentialOf(secret: string, parseKey: typeof utils.parseKey) {
  if (!secret.trimStart().startsWith('-----BEGIN')) return { password: secret }
  const parsed = parseKey(secret)
  if (parsed instanceof Error)
    throw new TransferFailure(because('sending.unusableKey', { error: parsed.message }), true)
  return { privateKey: secret }
}

async function signIn(
  { url, username, secret, hostKey }: OpenTarget,
  addresses: OutwardAddresses,
): Promise<{ client: Client; sftp: SFTPWrapper }> {
  const host = await addresses.resolve(url.hostname)
  const { default: ssh2 } = await import('ssh2')
  const credential = credentialOf(secret, ssh2.utils.parseKey)
  const client = new ssh2.Client()
  let seen = ''
  const { promise, resolve, reject } = Promise.withResolvers<SFTPWrapper>()
  client.on('error', reject)
  client.on('close', () => reject(new Error('Connection closed')))
  client.on('ready', () => client.sftp((error, sftp) => (error ? reject(error) : resolve(sftp))))
  client.connect({
    host,
    port: url.port === '' ? defaultPort : Number(url.port),
    username,
    ...credential,
    readyTimeout: silentAfterMs,
    keepaliveInterval: aliveEachMs,
    hostVerifier: (key: Buffer) => {
      seen = fingerprintOf(key)
      return seen === hostKey
    },
  })
  try {
    return { client, sftp: await promise }
  } catch (error) {
    client.end()
    if (seen !== '' && seen !== hostKey)
      throw new TransferFailure(because('sending.wrongHostKey', { key: seen }), true)
    throw error
  }
}

/** A call with a callback as a promise. */
const done = (run: (back: (error?: Error | null) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => run((error) => (error ? reject(error) : resolve())))

const sizeOf = (sftp: SFTPWrapper, path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) =>
    sftp.stat(path, (error, stats) => {
      if (!error) resolve(stats.size)
      else if ((error as Error & { code?: number }).code === noSuchFile) resolve(undefined)
      else reject(error)
    }),
  )

/** The names are below the root where the address has two slashes, otherwise below the home folder. */
async function makeFolder(sftp: SFTPWrapper, url: URL): Promise<string> {
  let path = url.pathname.startsWith('//') ? '' : '.'
  for (const name of foldersOf(url)) {
    path = `${path}/${name}`
    if ((await sizeOf(sftp, path)) === undefined) await done((back) => sftp.mkdir(path, back))
  }
  return path
}

/** Several writes are on their way at a time, so that a long way does not slow them down. */
async function write(sftp: SFTPWrapper, path: string, from: number, content: Readable): Promise<void> {
  const handle = await new Promise<Buffer>((resolve, reject) =>
    sftp.open(path, from === 0 ? 'w' : 'r+', (error, opened) => (error ? reject(error) : resolve(opened))),
  )
  const onTheWay = new Set<Promise<void>>()
  let at = from
  for await (const chunk of content as AsyncIterable<Buffer>)
    for (let start = 0; start < chunk.length; start += writeBytes) {
      const part = chunk.subarray(start, start + writeBytes)
      const [place, length] = [at, part.length]
      const written = done((back) => sftp.write(handle, part, 0, length, place, back))
      onTheWay.add(written)
      // A failure is seen below, at the latest when all others are awaited.
      written.then(() => onTheWay.delete(written)).catch(() => {})
      at += length
      if (onTheWay.size >= writesAtOnce) await Promise.race(onTheWay)
    }
  await Promise.all(onTheWay)
  await done((back) => sftp.close(handle, back))
}

export function createSftpTransport(addresses: OutwardAddresses): Transport {
  return folderTransport((target) =>
    step(async () => {
      const { client, sftp } = await signIn(target, addresses)
      const folder = await makeFolder(sftp, target.url).catch((error) => {
        client.end()
        throw error
      })
      const pathOf = (name: string) => `${folder}/${name}`
      return {
        sizeOf: (name) => step(() => sizeOf(sftp, pathOf(name))),
        write: (name, from, content) => step(() => write(sftp, pathOf(name), from, content)),
        // A server may have carried out a later write before an earlier one.
        unsureBytes: writeBytes * writesAtOnce,
        rename: (from, to) => step(() => done((back) => sftp.rename(pathOf(from), pathOf(to), back))),
        close: () => client.destroy(),
      }
    }),
  )
}
