// Serves the built console: its files, and its page for every address that the console itself routes.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Addresses that are never a page of the console. */
const ownedByDoors = /^\/(luc|luc-core-web|gateway|preview|metrics|healthz|assets)(\/|$)/

export async function serveConsole(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    index: 'index.html',
    cacheControl: false,
    // Next to each file are its compressed forms, made when the console was built; `Vary` announces them.
    preCompressed: true,
    // Built files under assets/ have the hash of their content in their name.
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(folder, 'assets/'))
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
}

export const isConsoleBuilt = (folder: string): boolean => existsSync(join(folder, 'index.html'))

export function isConsolePage({ method, url }: FastifyRequest): boolean {
  const path = url.split('?')[0] ?? ''
  return (method === 'GET' || method === 'HEAD') && !ownedByDoors.test(path) && !/\.\w+$/.test(path)
}
