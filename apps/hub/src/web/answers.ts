import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** The subject, and after the colon its fault: `offer: must be SDP`. */
type DoorFault = `${string}: ${string}`

export function refuse(
  response: ServerResponse,
  status: number,
  message: DoorFault,
  headers: OutgoingHttpHeaders = {},
): void {
  response.writeHead(status, { ...headers, 'content-type': 'application/json' })
  response.end(JSON.stringify({ message }))
}

/** Undefined for a body that is longer than allowed. */
export async function readText(request: IncomingMessage, mostBytes: number): Promise<string | undefined> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of request) {
    pieces.push(piece as Buffer)
    length += (piece as Buffer).length
    if (length > mostBytes) return undefined
  }
  return Buffer.concat(pieces).toString('utf8')
}
