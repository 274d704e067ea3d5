// Files as their servers give them to core, whole or in part.
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { NotFound, Unavailable } from '@backhaul/contract/define/errors'
import { FILE_PROBE_MS, pathAtServer } from '@backhaul/contract/nouns/files'
import { urlHost } from '../../doors/source-address.ts'
import type { Devices } from '../../fleet/devices/devices.ts'
import type { Servers } from '../../fleet/servers/servers.ts'
import type { KeptFile } from './file-table.ts'

export interface FileReading {
  /** The answer of the server of the file. Throws Unavailable where it gives none within 5 s. */
  request(file: KeptFile, wanted: { method: string; range?: string | undefined }): Promise<Response>
  /** The bytes from `from` to `to`, or to the end. Throws NotFound for a file that is gone, and Unavailable. */
  read(file: KeptFile, from: number, to?: number): Promise<Readable>
}

export function createFileReading({ servers, devices }: { servers: Servers; devices: Devices }): FileReading {
  async function request(
    file: KeptFile,
    { method, range }: { method: string; range?: string | undefined },
  ): Promise<Response> {
    const { serverId } = file
    const host = devices.get(serverId)?.address
    const { filePort, previewPort } = servers.memory(serverId)?.actual ?? {}
    const port = filePort ?? previewPort
    if (!host || !port) throw new Unavailable('file.serverOffline')
    const path = pathAtServer(file)
    const headers = { ...devices.signed(serverId, { method, path }), ...(range !== undefined && { range }) }
    const abort = new AbortController()
    const tooLong = setTimeout(() => abort.abort(), FILE_PROBE_MS)
    try {
      // A server answers for itself only: core follows no redirect.
      const redirect = 'error'
      return await fetch(`http://${urlHost(host)}:${port}${path}`, {
        method,
        headers,
        redirect,
        signal: abort.signal,
      })
    } catch {
      throw new Unavailable('file.serverSilent')
    } finally {
      clearTimeout(tooLong)
    }
  }

  return {
    request,
    async read(file, from, to) {
      const answer = await request(file, { method: 'GET', range: `bytes=${from}-${to ?? ''}` })
      if (answer.status === 404) throw new NotFound('file')
      if (answer.status !== 206 || !answer.body) throw new Unavailable('file.serverRefused')
      return Readable.fromWeb(answer.body as ReadableStream)
    },
  }
}
