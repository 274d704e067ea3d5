// The push door: browsers subscribe to topics and get a snapshot, then the changes of each tick in one frame.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { PushRequest, type PushWelcome, parseRevision, SIGN_IN_ENDED } from '@backhaul/contract/define/topic'
import { waitsMs } from '@backhaul/contract/define/waits'
import type { Clock } from '@backhaul/runtime/clock'
import type { Log } from '@backhaul/runtime/log'
import { Counter, Gauge, type Registry } from 'prom-client'
import { type WebSocket, WebSocketServer } from 'ws'
import { databaseFailureOf } from '../../database/database-failure.ts'
import { refuseUpgrade } from '../api/upgrades.ts'
import { parseJson, TooDeep } from '../json.ts'
import { PushReader } from './push-reader.ts'
import type { PushReaderRights, PushSource, PushTopic } from './push-topic.ts'
import { SharedFrames } from './shared-frames.ts'

export interface PushOptions {
  source: PushSource
  /** Undefined without a sign-in; called again when rights may have changed. */
  rightsOf: (request: IncomingMessage) => Promise<PushReaderRights | undefined>
  /** A page with another value reloads itself (PU-CONN-08). */
  wsLibrary: string
  /** A socket that follows nothing for this long is closed. */
  idleMs: number
  clock: Clock
  log: Log
  metrics: Registry
}

export interface Push {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Sends every reader one frame with what changed of the topics that it follows. */
  deliver(changed: readonly PushTopic[]): void
  /** The time for which changes should be collected now. */
  collectMs(): number
  /** Sends every reader, also later ones, by how many seconds the live data are late. */
  sendBehind(seconds: number): void
  /** Closes the sockets of a sign-in that ended. */
  endSignIn(signInId: string): void
  /** Decides again which topics are still readable: for one user, or for all when none is named. */
  recheck(userId?: string): Promise<void>
  close(): void
}

/**
 * Changes are collected for this long, so that a burst costs each reader one frame. Each frame costs the write to its socket,
 * regardless of its content: the more readers, the fewer and larger frames they get. Without readers nothing is late.
 */
function collectMsFor(readers: number): number {
  if (readers === 0 || readers > 100) return 100
  return readers > 20 ? 50 : 25
}

/** A request whose caller may connect. */
interface Admitted {
  request: IncomingMessage
  rights: PushReaderRights
}

/** 1011: core failed, most often because its database is away. */
const rightsUnknown = 1011
/** 4408: it followed nothing for too long. */
const followsNothing = 4408
const requestBytesAtMost = 128 * 1024
const requestsPerSecondAtMost = 200
/** More than a fleet of 15,000 units, its channels, servers and groups. */
const topicsPerReaderAtMost = 20_000

export function createPush(options: PushOptions): Push {
  const { source, clock, log } = options
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: requestBytesAtMost,
    perMessageDeflate: false,
  })
  // Remote browsers request compression by the query; near core it would only cost time.
  const deflating = new WebSocketServer({
    noServer: true,
    maxPayload: requestBytesAtMost,
    perMessageDeflate: { threshold: 1024, concurrencyLimit: 4, zlibDeflateOptions: { level: 1 } },
  })
  const readers = new Set<PushReader>()
  const followers = new Map<string, Set<PushReader>>()
  const frames = new SharedFrames()
  const counters = count(options.metrics, readers)
  const pings = clock.setInterval(() => {
    for (const reader of readers) reader.ping()
  }, waitsMs.ping)
  const { idleMs } = options
  const idleness = clock.setInterval(
    () => {
      for (const reader of readers)
        if (reader.idleFor(clock.monotonicMs()) >= idleMs) reader.close(followsNothing, 'nothing is followed')
    },
    Math.max(100, idleMs / 4),
  )

  function unfollow(reader: PushReader, topic: string): void {
    if (!reader.held.delete(topic)) return
    const others = followers.get(topic)
    others?.delete(reader)
    if (others?.size === 0) followers.delete(topic)
  }

  function subscribe(reader: PushReader, { topics, since }: PushRequest): void {
    const refused: string[] = []
    for (const name of topics) {
      const topic = source.find(name, reader.rights)
      const isTooMuch = reader.held.size >= topicsPerReaderAtMost && !reader.held.has(name)
      if (!topic || isTooMuch) {
        unfollow(reader, name)
        refused.push(name)
        continue
      }
      const token = since?.[name] === undefined ? undefined : parseRevision(since[name])
      const isKnown = token?.epoch === source.epoch && token.seq <= topic.seq
      followers.set(name, (followers.get(name) ?? new Set()).add(reader))
      reader.held.set(name, { topic, seq: isKnown ? token.seq : 0 })
      reader.bringUpToDate(name)
    }
    if (refused.length > 0) reader.refuse(refused)
    reader.flush()
  }

  function request(reader: PushReader, text: string): void {
    const request = read(text)
    if (typeof request === 'string') {
      counters.rejected.inc()
      reader.refuse([], request)
      reader.flush()
      return
    }
    if (request.action === 'subscribe') subscribe(reader, request)
    else for (const topic of request.topics) unfollow(reader, topic)
  }

  let behindS = 0

  /** The number of changes of the rights of users. */
  let changes = 0

  /** Read again while they change: no one is admitted with rights that ended meanwhile. */
  async function rightsOf(request_: IncomingMessage): Promise<PushReaderRights | undefined> {
    const before = changes
    const rights = await options.rightsOf(request_)
    return before === changes ? rights : await rightsOf(request_)
  }

  function open(socket: WebSocket, wire: Duplex, { request: request_, rights }: Admitted): void {
    const onDelivered = (messages: number) => counters.delivered.inc(messages)
    const reader = new PushReader({ socket, wire, request: request_, rights, frames, onDelivered })
    readers.add(reader)
    const requestsByTime = { second: 0, requests: 0 }
    socket.on('message', (data, isBinary) => {
      const second = Math.floor(clock.monotonicMs() / 1000)
      if (requestsByTime.second !== second) Object.assign(requestsByTime, { second, requests: 0 })
      if (isBinary || ++requestsByTime.requests > requestsPerSecondAtMost) {
        counters.rejected.inc()
        return socket.close(isBinary ? 1003 : 1008, isBinary ? 'text only' : 'too many requests')
      }
      request(reader, String(data))
    })
    socket.on('pong', () => reader.received())
    socket.on('error', (error) => log.debug({ err: error, userId: rights.userId }, 'push socket failed'))
    socket.on('close', () => {
      readers.delete(reader)
      for (const topic of [...reader.held.keys()]) unfollow(reader, topic)
    })
    const welcome: PushWelcome = {
      kind: 'welcome',
      epoch: source.epoch,
      wsLibrary: options.wsLibrary,
      serverTime: clock.nowMs(),
    }
    socket.send(JSON.stringify([welcome]))
    if (behindS === 0) return
    reader.sendBehind(behindS)
    reader.flush()
  }

  /** Ends the subscriptions that the reader's rights do not cover any more. */
  function unfollowLost(reader: PushReader): void {
    const lost = [...reader.held.keys()].filter((name) => !source.find(name, reader.rights))
    for (const name of lost) unfollow(reader, name)
    if (lost.length > 0) reader.refuse(lost)
    reader.flush()
  }

  async function recheckReader(reader: PushReader): Promise<void> {
    // Objects that left a group are lost by the known rights, before the next delivery; others are read first.
    unfollowLost(reader)
    const rights = await options.rightsOf(reader.request).catch((error: unknown) => {
      log.warn({ err: error }, 'cannot check the rights of a push connection')
      return null
    })
    // It may come back with the same sign-in.
    if (rights === null) return reader.close(rightsUnknown, 'the rights cannot be checked')
    if (!rights) return reader.close(SIGN_IN_ENDED, 'the sign-in ended')
    reader.rights = rights
    unfollowLost(reader)
  }

  return {
    upgrade(request_, socket, head) {
      rightsOf(request_).then(
        (rights) => {
          if (!rights) return refuseUpgrade(socket, 401, 'Unauthorized')
          const wantsDeflate = new URL(request_.url ?? '', 'http://core').searchParams.has('deflate')
          ;(wantsDeflate ? deflating : server).handleUpgrade(request_, socket, head, (ws) =>
            open(ws, socket, { request: request_, rights }),
          )
        },
        (error) => {
          log.error(error, 'admitting a push socket failed')
          if (databaseFailureOf(error)) refuseUpgrade(socket, 503, 'Service Unavailable')
          else refuseUpgrade(socket, 500, 'Internal Server Error')
        },
      )
    },
    deliver(changed) {
      const touched = new Set<PushReader>()
      for (const { topic } of changed) {
        const readersOfTopic = followers.get(topic)
        if (!readersOfTopic) continue
        for (const reader of readersOfTopic) {
          if (reader.bringUpToDate(topic)) touched.add(reader)
        }
      }
      for (const reader of readers) if (reader.catchUp()) touched.add(reader)
      for (const reader of touched) reader.flush()
      frames.clear()
    },
    collectMs: () => collectMsFor(readers.size),
    sendBehind(seconds) {
      if (seconds === behindS) return
      behindS = seconds
      for (const reader of readers) {
        reader.sendBehind(seconds)
        reader.flush()
      }
    },
    endSignIn(signInId) {
      changes++
      for (const reader of readers) {
        if (reader.rights.signInId === signInId) reader.close(SIGN_IN_ENDED, 'the sign-in ended')
      }
    },
    async recheck(userId) {
      changes++
      const concerned = [...readers].filter(
        (reader) => userId === undefined || reader.rights.userId === userId,
      )
      await Promise.all(concerned.map(recheckReader))
    },
    close() {
      clock.clearInterval(pings)
      clock.clearInterval(idleness)
      for (const reader of readers) reader.close(1001, 'core stops')
    },
  }
}

/** The request, or why it is invalid. */
function read(text: string): PushRequest | string {
  let json: unknown
  try {
    json = parseJson(text)
  } catch (error) {
    return error instanceof TooDeep ? error.message : 'A request must be JSON'
  }
  const result = PushRequest.safeParse(json)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  return `Malformed request: ${issue?.path.join('.') || '(frame)'}: ${issue?.message ?? 'invalid'}`
}

function count(metrics: Registry, readers: ReadonlySet<PushReader>) {
  const registers = [metrics]
  new Gauge({
    name: 'backhaul_core_push_sockets',
    help: 'Browsers connected to the push door',
    registers,
    collect() {
      this.set(readers.size)
    },
  })
  new Gauge({
    name: 'backhaul_core_push_sockets_behind',
    help: 'Browsers that read too slowly for what they follow',
    registers,
    collect() {
      this.set([...readers].filter(({ isBehind }) => isBehind).length)
    },
  })
  return {
    delivered: new Counter({
      name: 'backhaul_core_push_changes_delivered_total',
      help: 'Topics brought up to date, counted once for each reader',
      registers,
    }),
    rejected: new Counter({
      name: 'backhaul_core_push_requests_rejected_total',
      help: 'Requests of readers that break the contract',
      registers,
    }),
  }
}
