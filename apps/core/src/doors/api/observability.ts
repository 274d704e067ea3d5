// Observability of the service: the request log and /healthz.
import type { FastifyInstance } from 'fastify'
import { Histogram, type Registry } from 'prom-client'
import { loggedPath } from './logged-path.ts'

/** The state of core, with the part that fails. */
export interface Health {
  status: 'ok' | 'failing'
  database: 'ok' | 'unreachable'
  /** Unknown while the database cannot be reached. */
  storage: 'ok' | 'full' | 'unknown'
}

export interface ObservabilityOptions {
  metrics: Registry
  checkHealth: () => Promise<Health>
}

export function addObservability(app: FastifyInstance, { metrics, checkHealth }: ObservabilityOptions): void {
  const seconds = new Histogram({
    name: 'backhaul_core_http_request_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [metrics],
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    const status = reply.statusCode
    seconds.observe({ method: request.method, route, status: String(status) }, reply.elapsedTime / 1000)
    // Successful reads come by the thousand; changes and failures are logged at info.
    const level = request.method === 'GET' && status < 400 ? 'debug' : 'info'
    request.log[level](
      {
        method: request.method,
        path: loggedPath(request.url),
        status,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        user: request.caller?.username,
        address: request.ip,
      },
      'request',
    )
  })
  app.get('/healthz', async (_, reply) => {
    const health = await checkHealth()
    return reply.code(health.status === 'ok' ? 200 : 503).send(health)
  })
}
