// S3 and what speaks like it: one request for a small file, parts of a large one, of which the complete ones are kept.
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { because } from '@backhaul/contract/define/refusals'
import { documentName } from '@backhaul/contract/nouns/metadata-formats'
import { AwsV4Signer } from 'aws4fetch'
import type { OutwardAddresses } from '../../doors/outward-address.ts'
import { counted } from './folder-transport.ts'
import {
  freeName,
  type Item,
  type OpenTarget,
  silentAfterMs,
  TransferFailure,
  type Transport,
  type Watch,
} from './transfer.ts'
import { failureOf } from './transfer-failures.ts'

/** Smaller parts are refused by most; a file has at most 10,000. */
const partBytes = 16 * 1024 * 1024
const partsAtMost = 9000
const answerBytesAtMost = 1024 * 1024

interface Ask {
  method: string
  /** Below the folder of the target; '' is the folder. */
  name: string
  query?: string
  headers?: Record<string, string>
  content?: { bytes: number; from: Readable | string } | undefined
}

interface Answer {
  status: number
  headers: IncomingMessage['headers']
  text: string
}

const contentTypes = { xml: 'application/xml', json: 'application/json' } as const

export function createS3Transport(addresses: OutwardAddresses): Transport {
  async function ask(
    target: OpenTarget,
    { method, name, query, headers, content }: Ask,
    signal?: AbortSignal,
  ) {
    const url = new URL(target.url)
    url.pathname = [
      ...url.pathname.split('/').filter(Boolean),
      ...(name === '' ? [] : [encodeURIComponent(name)]),
    ]
      .map((part) => `/${part}`)
      .join('')
    url.search = query ?? ''
    addresses.requireOpen(url.hostname)
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: headers ?? {},
      accessKeyId: target.username,
      secretAccessKey: target.secret,
      service: 's3',
      region: target.region === '' ? 'us-east-1' : target.region,
    }).sign()
    const send = url.protocol === 'https:' ? requestSecure : requestPlain
    const outgoing = send(url, {
      method,
      headers: { ...Object.fromEntries(signed.headers), 'content-length': content?.bytes ?? 0 },
      lookup: addresses.lookup,
      timeout: silentAfterMs,
      ...(signal && { signal }),
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('Timeout')))
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => void answerOf(incoming).then(resolve, reject))
    const from = content?.from
    if (from === undefined || typeof from === 'string') outgoing.end(from)
    // A server may answer, and close, before it has read all: its answer is the reason then.
    else pipeline(from, outgoing).catch(reject)
    return await promise
  }

  /** Throws TransferFailure for an answer that is none of these. */
  async function expect(good: readonly number[], ...asked: Parameters<typeof ask>): Promise<Answer> {
    const answer = await ask(...asked).catch((error) => {
      throw failureOf(error)
    })
    if (good.includes(answer.status)) return answer
    const { status, text } = answer
    const error = `${status} ${/<Code>([^<]*)/.exec(text)?.[1] ?? ''}`.trim()
    if (status === 401 || status === 403)
      throw new TransferFailure(because('sending.signInRefused', { error }), true)
    throw new TransferFailure(because('sending.refused', { error }), status < 500 && status !== 429)
  }

  const whole = (
    target: OpenTarget,
    name: string,
    type: string,
    content: Ask['content'],
    signal: AbortSignal,
  ) => expect([200], target, { method: 'PUT', name, headers: { 'content-type': type }, content }, signal)

  /** The parts that are complete are kept; an upload that the server has forgotten begins again. */
  async function inParts(target: OpenTarget, name: string, item: Item, watch: Watch): Promise<void> {
    const { sizeBytes } = item
    const { signal } = watch
    const bytes = Math.max(partBytes, Math.ceil(sizeBytes / partsAtMost))
    let { uploadId, parts = [] } = watch.progress
    if (uploadId === undefined) {
      const { text } = await expect([200], target, { method: 'POST', name, query: 'uploads=' }, signal)
      uploadId = /<UploadId>([^<]+)/.exec(text)?.[1] ?? ''
      parts = []
      await watch.keep({ name, uploadId, parts })
    }
    const id = encodeURIComponent(uploadId)
    try {
      for (let at = parts.length; at * bytes < sizeBytes; at++) {
        const [first, last] = [at * bytes, Math.min(sizeBytes, (at + 1) * bytes) - 1]
        const content = {
          bytes: last - first + 1,
          from: counted(await item.read(first, last), first, watch.sent),
        }
        const query = `partNumber=${at + 1}&uploadId=${id}`
        const { headers } = await expect([200], target, { method: 'PUT', name, query, content }, signal)
        parts = [...parts, String(headers.etag)]
        await watch.keep({ name, uploadId, parts })
      }
      const list = parts.map(
        (tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
      )
      const from = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`
      const content = { bytes: Buffer.byteLength(from), from }
      const { text } = await expect(
        [200],
        target,
        { method: 'POST', name, query: `uploadId=${id}`, content },
        signal,
      )
      // It begins to answer before it knows.
      if (/<Error>/.test(text))
        throw new TransferFailure(
          because('sending.refused', { error: /<Code>([^<]*)/.exec(text)?.[1] ?? '' }),
          false,
        )
    } catch (error) {
      const isForgotten = error instanceof TransferFailure && /NoSuchUpload/.test(error.message)
      if (!isForgotten) throw error
      await watch.keep({ name })
      throw new TransferFailure(error.why, false)
    }
  }

  return {
    async check(target) {
      const bucket = new URL(target.url)
      bucket.pathname = bucket.pathname.split('/').slice(0, 2).join('/')
      const query = 'list-type=2&max-keys=1'
      await expect([200], { ...target, url: bucket }, { method: 'GET', name: '', query })
    },
    async send(target, item, watch) {
      const { signal, progress, keep } = watch
      const { fileName, sizeBytes, document } = item
      const head = (name: string) => expect([200, 404], target, { method: 'HEAD', name }, signal)
      const name =
        progress.name ?? (await freeName(fileName, async (one) => (await head(one)).status === 200))
      if (progress.name !== undefined) {
        const { status, headers } = await head(name)
        // The answer to the last request was lost.
        if (status === 200 && Number(headers['content-length']) === sizeBytes) return
      } else await keep({ name })
      if (document) {
        const from = document.text
        const content = { bytes: Buffer.byteLength(from), from }
        await whole(
          target,
          documentName(name, document.format),
          contentTypes[document.format],
          content,
          signal,
        )
      }
      if (sizeBytes > partBytes) return await inParts(target, name, item, { ...watch, progress })
      const from = counted(await item.read(0), 0, watch.sent)
      await whole(target, name, 'application/octet-stream', { bytes: sizeBytes, from }, signal)
    },
  }
}

async function answerOf(incoming: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > answerBytesAtMost) throw new Error('The answer is too large')
    chunks.push(chunk)
  }
  const { statusCode: status = 0, headers } = incoming
  return { status, headers, text: Buffer.concat(chunks).toString('utf8') }
}
