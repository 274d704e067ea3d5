// The metrics of a program for Prometheus, served at an address of its own.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A registry of prom-client. */
export interface Figures {
  readonly contentType: string
  metrics(): Promise<string>
}

export interface MetricsDoor {
  /** Where it listens, for instance http://127.0.0.1:9464/metrics. */
  readonly url: string
  close(): Promise<void>
}

/** No sign-in, only figures: every host that reaches the address may read them. */
export async function serveMetrics(metrics: Figures, host: string, port: number): Promise<MetricsDoor> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics')
      return void response.writeHead(404).end()
    metrics.metrics().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
  const { address, family, port: taken } = server.address() as AddressInfo
  const named = family === 'IPv6' ? `[${address}]` : address
  return {
    url: `http://${named}:${taken}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
