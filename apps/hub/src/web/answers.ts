import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'

export function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers: OutgoingHttpHeaders = {},
): void {
  response.writeHead(status, { ...headers, 'content-type': 'application/json' })
  response.end(JSON.stringify({ message }))
}
