// FTP, and FTP with TLS (RFC 4217), in passive mode.
import { isIP } from 'node:net'
import { because } from '@backhaul/contract/define/refusals'
import { Client, FTPError } from 'basic-ftp'
import type { OutwardAddresses } from '../../doors/outward-address.ts'
import { folderTransport } from './folder-transport.ts'
import { foldersOf, silentAfterMs, TransferFailure, type Transport } from './transfer.ts'
import { failureOf } from './transfer-failures.ts'

const defaultPort = 21
/** The codes of a server that requires a sign-in or an account. */
const signInCodes = [332, 530, 532]
const notThere = 550
const storageFull = 552

function ftpFailure(error: unknown): Error {
  if (!(error instanceof FTPError)) return failureOf(error)
  const { code, message } = error
  if (signInCodes.includes(code))
    return new TransferFailure(because('sending.signInRefused', { error: message }), true)
  return new TransferFailure(
    because('sending.refused', { error: message }),
    code >= 500 && code !== storageFull,
  )
}

/** Runs a step, and gives its failure as one of the transfer. */
async function step<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw ftpFailure(error)
  }
}

export function createFtpTransport(addresses: OutwardAddresses): Transport {
  return folderTransport(async ({ url, username, secret }) => {
    const client = new Client(silentAfterMs)
    const { hostname, port, protocol } = url
    await step(async () => {
      const host = await addresses.resolve(hostname)
      await client.access({
        host,
        port: port === '' ? defaultPort : Number(port),
        user: username === '' ? 'anonymous' : username,
        password: secret,
        secure: protocol === 'ftps:',
        // The certificate is that of the name, not of the address that it led to.
        secureOptions: { host: hostname, ...(isIP(hostname) === 0 && { servername: hostname }) },
      })
      // Two slashes lead to the root, one to where the account begins.
      if (url.pathname.startsWith('//')) await client.cd('/')
      for (const name of foldersOf(url)) await client.ensureDir(name)
    }).catch((error) => {
      client.close()
      throw error
    })
    return {
      sizeOf: (name) =>
        step(async () =>
          client.size(name).catch((error) => {
            if (error instanceof FTPError && error.code === notThere) return undefined
            throw error
          }),
        ),
      write: (name, from, content) =>
        step(async () => {
          if (from === 0) await client.uploadFrom(content, name)
          else await client.appendFrom(content, name)
        }),
      rename: (from, to) => step(async () => void (await client.rename(from, to))),
      unsureBytes: 0,
      close: () => client.close(),
    }
  })
}
