/** The files that a page fetches, with their sizes on the wire. */
import type { Page } from 'playwright-core'

export interface LoadedFile {
  path: string
  /** Chromium's type: Document, Script, Stylesheet, Font, Fetch … */
  kind: string
  encoding: string | undefined
  /** Over the wire, headers included. */
  bytes: number
  /** Size of the unpacked content. */
  size: number
}

/** The files with an answer, in the order of their requests. */
export async function watchLoad(page: Page): Promise<{ files(): LoadedFile[]; forget(): void }> {
  const session = await page.context().newCDPSession(page)
  const requests = new Set<string>()
  const files = new Map<string, LoadedFile>()
  session.on('Network.requestWillBeSent', ({ requestId }) => requests.add(requestId))
  // A file that the page preloads is fetched once, and taken from there.
  session.on('Network.requestServedFromCache', ({ requestId }) => requests.delete(requestId))
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    const { url, headers } = response
    const encoding = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-encoding')?.[1]
    files.set(requestId, { path: new URL(url).pathname, kind: type, encoding, bytes: 0, size: 0 })
  })
  session.on('Network.dataReceived', ({ requestId, dataLength }) => {
    const file = files.get(requestId)
    if (file) file.size += dataLength
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const file = files.get(requestId)
    if (file) file.bytes = encodedDataLength
  })
  await session.send('Network.enable')
  return { files: () => [...requests].flatMap((id) => files.get(id) ?? []), forget: () => files.clear() }
}
