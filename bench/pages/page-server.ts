/** Serves a page of the benchmarks on an origin of its own, as core serves the console, and hands every call on to core. */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { client } from '@backhaul/contract/api/client'
import { units } from '@backhaul/contract/api/units'
import { pathOf } from '@backhaul/contract/define/endpoint'
import { bundle } from './bundle.ts'

/** The list is on its way while the script still loads, as in the console. */
const earlyCalls = `const read = (path) =>
  fetch(path, { headers: { 'application-id': 'bench' } }).then((reply) => reply.json()).then(({ data }) => data)
globalThis.firstUnits = read('${pathOf(client.lightGroups)}').then((groups) =>
  read('${pathOf(units.ofGroup)}?group=' + groups[0].uid))`

const documentOf = (name: string, style: string) =>
  `<!doctype html><title>${name}</title><style>${style}</style><script>${earlyCalls}</script>` +
  `<script type="module" src="/${name}.js"></script><div id="root"></div>`

function handOn(core: string, incoming: IncomingMessage, response: ServerResponse): void {
  const { method, headers, url = '' } = incoming
  const outgoing = request(new URL(url, core), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  outgoing.on('error', () => response.destroy())
  incoming.pipe(outgoing)
}

/** The address of `bench/pages/<name>.jsx`, with a script and a document that are compressed with Brotli. */
export async function openPageServer(
  stack: AsyncDisposableStack,
  name: string,
  core: string,
): Promise<string> {
  const style = readFileSync(join(import.meta.dirname, 'page.css'), 'utf8')
  const compress = promisify(brotliCompress)
  const files = new Map([
    ['/', { type: 'text/html', body: await compress(documentOf(name, style)) }],
    [`/${name}.js`, { type: 'text/javascript', body: await compress(await bundle(name)) }],
  ])
  const server = createServer((incoming, response) => {
    const file = files.get(incoming.url ?? '')
    if (!file) return handOn(core, incoming, response)
    response.writeHead(200, { 'content-type': file.type, 'content-encoding': 'br' }).end(file.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stack.defer(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}
