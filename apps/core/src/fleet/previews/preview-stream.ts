// MPEG-TS of a channel over a WebSocket: after the admission core connects the two sockets and reads nothing of it.
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { PREVIEW_SIGNATURE_HEADER } from '@backhaul/contract/gateway/shared'
import { refuseUpgrade } from '../../doors/api/upgrades.ts'
import { urlHost } from '../../doors/source-address.ts'
import type { Devices } from '../devices/devices.ts'
import type { PreviewPlace } from './preview-place.ts'

const connectsWithinMs = 5000
/** Headers that concern only core and the browser. */
const keptBack = new Set(['cookie', 'authorization', 'host', 'origin', PREVIEW_SIGNATURE_HEADER])

/** Calls `onEnd` once, when either side is gone. */
export function joinStream(
  request: IncomingMessage,
  browser: Duplex,
  head: Buffer,
  { serverId, host, port, name }: PreviewPlace,
  signed: Devices['signed'],
  onEnd: () => void,
): void {
  const server = connect({ host, port, noDelay: true })
  let isJoined = false
  let isEnded = false
  const end = () => {
    if (isEnded) return
    isEnded = true
    if (isJoined) browser.destroy()
    else refuseUpgrade(browser, 502, 'Bad Gateway')
    server.destroy()
    onEnd()
  }
  server.setTimeout(connectsWithinMs, end)
  server.on('error', end)
  server.on('close', end)
  browser.on('error', end)
  browser.on('close', end)
  server.on('connect', () => {
    server.setTimeout(0)
    isJoined = true
    const path = `/channels/${encodeURIComponent(name)}/stream`
    const lines = [['GET', path, 'HTTP/1.1'].join(' '), `host: ${urlHost(host)}:${port}`]
    for (let i = 0; i < request.rawHeaders.length; i += 2) {
      const [field = '', value = ''] = request.rawHeaders.slice(i, i + 2)
      if (!keptBack.has(field.toLowerCase())) lines.push(`${field}: ${value}`)
    }
    for (const [field, value] of Object.entries(signed(serverId, { method: 'GET', path })))
      lines.push(`${field}: ${value}`)
    server.write(`${lines.join('\r\n')}\r\n\r\n`)
    server.write(head)
    server.pipe(browser)
    browser.pipe(server)
  })
}
