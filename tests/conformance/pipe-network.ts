/** The network behind an IP pipe: a bridge of this machine without an address, and behind it a machine, which is a namespace. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import type { Duplex } from 'node:stream'
import { createFramePipe } from '@backhaul/bonding/frame-pipe'
import { IP_PIPE_MAX_KBPS } from '@backhaul/contract/nouns/ip-pipe'
import { TAP_NAME, tapFault } from '@backhaul/runtime/ethernet-tap'
import { ip, makeByIp, makeNamespace, removeNamespace } from '../stage/networks.ts'
import { until } from '../stage/until.ts'
import { patienceMs } from './shared-cases.ts'

export interface PipeNetwork {
  /** The name of the bridge. */
  readonly bridge: string
  /** Its only socket, to which the machine is connected. */
  readonly socket: string
  /** Why this machine cannot have it, or have further interfaces in it; undefined where it can. */
  readonly fault: string | undefined
  /** Bytes that the bridge has sent to the machine. */
  sentBytes(): number
  /** Whether the end of a pipe is in the bridge. */
  isJoined(): boolean
  remove(): void
}

const machine = '10.78.0.20'
const folderOf = (name: string) => `/sys/class/net/${name}`

/** Names are random, so that two runs on one machine do not meet. */
export async function openPipeNetwork(): Promise<PipeNetwork> {
  const name = randomBytes(4).toString('hex')
  const [bridge, socket, namespace] = [`br-${name}`, `ve-${name}`, `bh-${name}`]
  function make(): void {
    makeNamespace(namespace)
    makeByIp('link', 'add', bridge, 'type', 'bridge')
    makeByIp('link', 'set', bridge, 'addrgenmode', 'none', 'up')
    makeByIp('link', 'add', socket, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
    makeByIp('link', 'set', socket, 'addrgenmode', 'none', 'master', bridge, 'up')
    makeByIp('-n', namespace, 'addr', 'add', `${machine}/24`, 'dev', 'eth0')
    makeByIp('-n', namespace, 'link', 'set', 'eth0', 'up')
  }
  async function faultOf(): Promise<string | undefined> {
    try {
      make()
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
    return await tapFault(bridge)
  }
  return {
    bridge,
    socket,
    fault: await faultOf(),
    sentBytes: () => Number(readFileSync(`${folderOf(socket)}/statistics/tx_bytes`, 'utf8')),
    isJoined: () => readdirSync(`${folderOf(bridge)}/brif`).some((port) => port.startsWith(TAP_NAME)),
    remove() {
      ip('link', 'del', socket)
      ip('link', 'del', bridge)
      removeNamespace(namespace)
    },
  }
}

/** The end of the pipe that the test holds. */
export interface PipeEnd {
  /** To the other end: frames can come. */
  ready(): void
  /** The other end has reported it. */
  isReady(): boolean
  /** Resolves when the machine of the network has answered a request that was sent from now on. */
  asks(): Promise<void>
  /** Sends more than a pipe carries. Resolves with what has passed; rejects when that is more than its rate. */
  floods(network: PipeNetwork): Promise<string>
}

const broadcast = Buffer.alloc(6, 0xff)
const ownMac = Buffer.from('02005e100001', 'hex')
const ipv4 = (text: string) => Buffer.from(text.split('.').map(Number))

/** ARP (RFC 826) over Ethernet, for IPv4. */
const arpType = 0x0806
const arpHead = Buffer.from('0806000108000604', 'hex')
const [isRequest, isReply] = [Buffer.from([0, 1]), Buffer.from([0, 2])]
/** Who has the address of the machine? Sent from another address each time, which the answer names. */
const questionFrom = (own: Buffer) =>
  Buffer.concat([broadcast, ownMac, arpHead, isRequest, ownMac, own, Buffer.alloc(6), ipv4(machine)])
const isAnswerTo = (own: Buffer, frame: Buffer) =>
  frame.readUInt16BE(12) === arpType &&
  frame.subarray(20, 22).equals(isReply) &&
  frame.subarray(28, 32).equals(ipv4(machine)) &&
  frame.subarray(38, 42).equals(own)

/** To every machine, of a type that none of them reads (IEEE 802, local experimental). */
const idle = Buffer.concat([broadcast, ownMac, Buffer.from('88b5', 'hex'), Buffer.alloc(1200)])
const floodBytes = 4_000_000
/** Unused rate of this time is allowed as one burst. */
const burstMs = 3000
/** The traffic of the network itself, in addition to that of the pipe. */
const ownBytes = 10_000

export function openPipeEnd(stream: Duplex): PipeEnd {
  let isReady = false
  let asked = 0
  let own = ipv4(machine)
  let isAnswered = false
  const pipe = createFramePipe({
    stream,
    // No limit at this end: the limit of the other end is tested.
    kbps: 1_000_000,
    onReady: () => {
      isReady = true
    },
    onFrame(frame) {
      isAnswered ||= isAnswerTo(own, frame)
    },
  })
  stream.on('error', () => {})
  stream.on('end', () => stream.end())

  async function asks(): Promise<void> {
    own = ipv4(`10.78.0.${100 + asked++}`)
    isAnswered = false
    const answer = () => {
      pipe.send(questionFrom(own))
      return isAnswered
    }
    await until('an answer of the machine in the network', answer, patienceMs)
  }

  return {
    ready: pipe.ready,
    isReady: () => isReady,
    asks,
    async floods(network) {
      const [startMs, startBytes] = [performance.now(), network.sentBytes()]
      const allowed = () => ((burstMs + performance.now() - startMs) * IP_PIPE_MAX_KBPS) / 8
      for (let sent = 0; sent < floodBytes; sent += idle.length) {
        if (stream.writableNeedDrain) await once(stream, 'drain', { signal: AbortSignal.timeout(patienceMs) })
        pipe.send(idle)
      }
      // Sent later on the same path: everything before it has arrived, or was dropped.
      await asks()
      const most = allowed() + ownBytes
      const passed = network.sentBytes() - startBytes
      if (most >= floodBytes) throw new Error('the way to the pipe is slower than the pipe')
      if (passed > most) throw new Error(`${passed} bytes of ${floodBytes} sent at once have passed`)
      return `of ${floodBytes} bytes sent at once ${passed} passed`
    },
  }
}
