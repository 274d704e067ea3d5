// The rule for answers that are compressed. The console's files are compressed when it is built (console-files.ts).
import { constants } from 'node:zlib'
import type { AnyEndpoint } from '@backhaul/contract/define/endpoint'
import fastifyCompress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

/** Smaller answers fit one packet anyway. */
const bytesAtLeast = 1500

const reads = {
  threshold: bytesAtLeast,
  encodings: ['br', 'gzip'] as ('br' | 'gzip')[],
  customTypes: /^(application\/json|text\/csv)(;|$)/,
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
}

export async function addCompression(app: FastifyInstance): Promise<void> {
  // Requests are never decompressed: a small one could then become a very large one.
  await app.register(fastifyCompress, { global: false, globalDecompression: false })
}

/**
 * Reads alone are compressed. A secret that is shown once (an API key, a pairing code, a second factor) is the answer
 * to a write: its length must not reveal how much of it a guess in the same answer repeats (BREACH). Another site cannot
 * make a browser read here at all, as each read needs a header of our own and the cookie is sent to our pages only.
 */
export const compressionOf = (endpoint: AnyEndpoint): typeof reads | false =>
  endpoint.method === 'GET' ? reads : false
