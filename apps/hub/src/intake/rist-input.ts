// Receives a standard encoder by RIST, main profile. The hub holds the port and forwards the encrypted datagrams of one sender to
// ffmpeg, which decrypts them with the channel's passphrase and requests again what was lost.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { freePort } from '../ports.ts'
import { createRefusals, GIVES_WAY_MS, type Input, type InputOptions, SILENT_MS } from './input.ts'
import { startKeyedListener } from './keyed-listener.ts'
import { hasNoStream, ristArguments, ristScript } from './remux-arguments.ts'

const RETRY_MS = 1000
const CHECK_MS = 1000
/** From the first datagram to the first picture: an exchange of messages, the buffer, and what ffmpeg needs to know the stream. */
const ADMISSION_MS = 6000

/** Header fields of the generic routing encapsulation around each datagram (VSF TR-06-2): flags for key and sequence number, type of a keep-alive. */
const KEY_AND_SEQUENCE = 0x30
const KEEP_ALIVE = 0x88b5
const HEADER_BYTES = 4

export type RistDatagram = 'encrypted' | 'keepAlive' | 'open'

/**
 * Undefined for what is no datagram of the main profile. The library would also take some that are not encrypted, though it
 * has a passphrase: those without a sequence number.
 */
export function ristDatagram(message: Buffer): RistDatagram | undefined {
  if (message.length < HEADER_BYTES) return undefined
  if ((message.readUInt8(0) & KEY_AND_SEQUENCE) === KEY_AND_SEQUENCE) return 'encrypted'
  return message.readUInt16BE(2) === KEEP_ALIVE ? 'keepAlive' : 'open'
}

/** librist reads nonsense where the passphrases differ. */
const isGarbled = (line: string): boolean => /rtp flag value|till new NONCE/.test(line)

interface Sender {
  readonly address: string
  readonly port: number
  /** Its own way to ffmpeg, which tells senders apart by where they come from. */
  readonly relay: Socket
  readonly admittedMs: number
  heardMs: number
}

export function startRistInput(options: InputOptions): Input {
  const { ffmpegPath, onData, onGone, onMoved, log } = options
  const refusals = createRefusals()
  const unreadable = createRefusals()
  let { port } = options
  let hasKey = false
  let outside: Socket | undefined
  let retry: NodeJS.Timeout | undefined
  let sender: Sender | undefined
  let readMs = Number.NEGATIVE_INFINITY
  let stopping = false

  const listener = startKeyedListener({
    ffmpegPath,
    protocol: 'RIST',
    args: ristArguments(),
    choosePort: () => freePort('rist'),
    script: ristScript,
    onData(chunk) {
      readMs = performance.now()
      refusals.clear()
      unreadable.clear()
      onData(chunk)
    },
    onGone,
    onMessage(line) {
      if (isGarbled(line)) refuse()
      if (hasNoStream(line) && unreadable.note())
        log.warn({ port }, 'RIST sender has neither a picture nor sound that can be read')
    },
    log,
  })

  function refuse(): void {
    if (refusals.note()) log.warn({ port }, 'RIST sender refused: its passphrase is not that of the channel')
  }

  function receive(message: Buffer, from: RemoteInfo): void {
    const kind = ristDatagram(message)
    if (kind === 'open') refuse()
    if (!hasKey || kind === undefined || kind === 'open') return
    const isPresent = sender?.address === from.address && sender.port === from.port
    if (!isPresent && (kind === 'keepAlive' || !givesWay())) return
    const current = isPresent && sender ? sender : admit(from)
    current.heardMs = performance.now()
    const inside = listener.port()
    if (inside !== undefined) current.relay.send(message, inside, '127.0.0.1')
  }

  /** A sender keeps its place as long as its stream can be read. */
  function givesWay(): boolean {
    if (!sender) return true
    const nowMs = performance.now()
    return nowMs - sender.admittedMs > ADMISSION_MS && nowMs - readMs > GIVES_WAY_MS
  }

  function admit({ address, port: from }: RemoteInfo): Sender {
    dismiss()
    const relay = createSocket('udp4')
    relay.on('message', (answer) => outside?.send(answer, from, address))
    relay.on('error', (error) => log.warn(error, 'a datagram could not be forwarded to ffmpeg'))
    const nowMs = performance.now()
    sender = { address, port: from, relay, admittedMs: nowMs, heardMs: nowMs }
    return sender
  }

  function dismiss(): void {
    sender?.relay.close()
    sender = undefined
    // The stream of the next sender may be another one.
    if (listener.hasStream()) listener.restart()
  }

  const watch = setInterval(() => {
    if (!sender) return
    const nowMs = performance.now()
    const isSilent = nowMs - Math.max(sender.admittedMs, readMs) > SILENT_MS
    if (isSilent || nowMs - sender.heardMs > GIVES_WAY_MS) dismiss()
  }, CHECK_MS)

  function hold(): void {
    const socket = createSocket('udp4')
    outside = socket
    socket.once('error', (error: NodeJS.ErrnoException) => {
      socket.close()
      outside = undefined
      retry = setTimeout(() => void holdAgain(error), RETRY_MS)
    })
    socket.on('message', receive)
    socket.bind({ port, address: '0.0.0.0', exclusive: true })
  }

  async function holdAgain(error: NodeJS.ErrnoException): Promise<void> {
    if (stopping) return
    if (error.code === 'EADDRINUSE') {
      const taken = port
      port = await freePort('rist')
      log.warn({ taken, port }, 'RIST port is taken by another program: the channel listens on another one')
      onMoved(port)
    } else log.error(error, 'RIST cannot be received')
    if (!stopping) hold()
  }
  hold()

  return {
    pid: listener.pid,
    problem() {
      if (refusals.isNews()) return 'wrongKey'
      if (unreadable.isNews()) return 'codec'
      return sender && givesWay() ? 'silent' : null
    },
    setKey(next) {
      hasKey = next !== undefined
      listener.setKey(next)
    },
    async stop() {
      stopping = true
      clearInterval(watch)
      clearTimeout(retry)
      sender?.relay.close()
      outside?.close()
      await listener.stop()
    },
  }
}
