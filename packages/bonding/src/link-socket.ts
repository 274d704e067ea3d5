// The UDP socket of one link at a unit: bound to the link's own address, opened again when it breaks.
import type { RemoteInfo, Socket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isRtcp } from './rtp.ts'
import type { SenderChannel } from './sender-flow.ts'
import { createUdpSocket } from './udp.ts'

const REOPEN_MS = 1000
const SOCKET_BUFFER_BYTES = 1 << 20

export type LinkAddress = {
  /** Address of the interface to send from; all interfaces when absent. */
  localAddress?: string | undefined
  /** Address or name of the far end. */
  remoteHost: string
  /** Media port; control goes to the port above it. */
  remotePort: number
  /** Gives a bound socket, for instance one bound to an interface, to replace one bound to the address; undefined: none. */
  openSocket?: (() => Promise<Socket | undefined>) | undefined
}

/** @throws RangeError for a port that is odd or out of range. */
export function checkMediaPort(field: string, port: number): void {
  if (!Number.isInteger(port) || port < 2 || port > 65_534 || port % 2 !== 0) {
    throw new RangeError(`${field}: must be an even port from 2 to 65534, got ${port}`)
  }
}

export class LinkSocket {
  /** Why the link cannot send at present, or null. */
  error: string | null = null
  readonly #address: LinkAddress
  readonly #onDatagram: (datagram: Buffer) => void
  readonly #trusted: boolean
  #socket: Socket | null = null
  #remoteAddress: string | null = null
  #reopening: NodeJS.Timeout | null = null
  #closed = false

  /** With `trustAnySource` false only datagrams from the receiver's address are accepted. */
  constructor(address: LinkAddress, trustAnySource: boolean, onDatagram: (datagram: Buffer) => void) {
    this.#address = address
    this.#trusted = trustAnySource
    this.#onDatagram = onDatagram
    void this.#open()
  }

  send(channel: SenderChannel, datagram: Buffer): void {
    if (!this.#socket || !this.#remoteAddress) return
    const port = this.#address.remotePort + (channel === 'control' ? 1 : 0)
    // Control packets leave several times a second: what becomes of them is enough to know, a callback for each packet costs time.
    if (isRtcp(datagram)) this.#sendWatched(this.#socket, datagram, { port, address: this.#remoteAddress })
    else this.#socket.send(datagram, port, this.#remoteAddress)
  }

  #sendWatched(socket: Socket, datagram: Buffer, to: { port: number; address: string }): void {
    socket.send(datagram, to.port, to.address, (error) => {
      // An interface without route refuses every packet; the link counts as lost because nothing answers.
      this.error = error ? error.message : null
      // The interface was taken away and may be there again under the same name.
      if (error && 'code' in error && error.code === 'ENODEV') socket.emit('error', error)
    })
  }

  close(): void {
    this.#closed = true
    if (this.#reopening) clearTimeout(this.#reopening)
    this.#socket?.close()
    this.#socket = null
  }

  async #open(): Promise<void> {
    try {
      const { remoteHost, localAddress } = this.#address
      const family = localAddress ? isIP(localAddress) : isIP(remoteHost)
      const found = isIP(remoteHost) ? remoteHost : (await lookup(remoteHost, { family })).address
      if (this.#closed) return
      this.#remoteAddress = found
      const given = await this.#address.openSocket?.()
      if (this.#closed) given?.close()
      else if (given) this.#use(given)
      else this.#bind(createUdpSocket(found))
    } catch (error) {
      this.#fail(error)
    }
  }

  #bind(socket: Socket): void {
    this.#listen(socket)
    const { localAddress } = this.#address
    socket.bind({ port: 0, ...(localAddress && { address: localAddress }) }, () => this.#begin(socket))
  }

  #use(socket: Socket): void {
    this.#listen(socket)
    this.#begin(socket)
  }

  #begin(socket: Socket): void {
    this.error = null
    socket.setSendBufferSize(SOCKET_BUFFER_BYTES)
  }

  #listen(socket: Socket): void {
    this.#socket = socket
    socket.on('error', (error) => {
      if (this.#socket !== socket) return
      this.#socket = null
      socket.close()
      this.#fail(error)
    })
    socket.on('message', (datagram, from) => this.#receive(datagram, from))
  }

  #receive(datagram: Buffer, from: RemoteInfo): void {
    const expected = from.address === this.#remoteAddress && from.port === this.#address.remotePort + 1
    if (this.#trusted || expected) this.#onDatagram(datagram)
  }

  #fail(error: unknown): void {
    this.error = error instanceof Error ? error.message : String(error)
    if (this.#closed) return
    this.#reopening = setTimeout(() => void this.#open(), REOPEN_MS)
  }
}
