/** Three links with a rate between a unit and a hub: network namespaces with tc when allowed, else relays. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createLinkRelay } from '@backhaul/bonding/testing/link-relay'

const queueMs = 300

export type BenchLinks = {
  readonly how: 'network namespaces' | 'relays'
  /** Put before a command so that it runs on that side. */
  readonly onUnit: readonly string[]
  readonly onHub: readonly string[]
  /** Where the receiver listens, and where the sender reaches it over each link. */
  readonly listen: { host: string; port: number }
  readonly targets: readonly { id: string; host: string; port: number }[]
  cut(link: number): void
  /** Packets towards the hub are lost without an error. */
  blackHole(link: number): void
  restore(link: number): void
  setRate(link: number, kbps: number): void
  /** Bytes that went up over all links since the start; null when unknown. */
  sentBytes(): number | null
  close(): Promise<void>
}

/** A rate in kilobits per second, and what a mobile network has besides. */
export interface LinkShape {
  readonly kbps: number
  readonly delayMs?: number
  readonly jitterMs?: number
  readonly lossPercent?: number
}

/** The hub's port is even and free. Only relays have delay, jitter and loss: few kernels have the queue for it. */
export async function openLinks(shapes: readonly LinkShape[]): Promise<BenchLinks> {
  const isPlain = shapes.every(({ delayMs, jitterMs, lossPercent }) => !delayMs && !jitterMs && !lossPercent)
  return isPlain && namespacesAllowed()
    ? openNamespaces(shapes.map(({ kbps }) => kbps))
    : await openRelays(shapes)
}

function run(command: string): boolean {
  const [program = '', ...args] = command.split(' ')
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}

function must(command: string): void {
  if (!run(command)) throw new Error(`failed: ${command}`)
}

const name = (side: 'unit' | 'hub' | 'try') => `bond-bench-${side}-${process.pid}`

function namespacesAllowed(): boolean {
  if (process.getuid?.() !== 0) return false
  removeLeftovers()
  const space = name('try')
  const allowed =
    run(`ip netns add ${space}`) &&
    run(`ip -n ${space} link set lo up`) &&
    run(`ip netns exec ${space} tc qdisc add dev lo root tbf rate 1mbit burst 8kb latency 50ms`)
  run(`ip netns del ${space}`)
  return allowed
}

/** Namespaces of an earlier run that was killed. */
function removeLeftovers(): void {
  const listed = spawnSync('ip', ['netns', 'list'], { encoding: 'utf8' }).stdout ?? ''
  for (const [space, pid] of listed.matchAll(/bond-bench-\w+-(\d+)/g)) {
    if (!alive(Number(pid))) run(`ip netns del ${space}`)
  }
}

function alive(pid: number): boolean {
  try {
    readFileSync(`/proc/${pid}/stat`)
    return true
  } catch {
    return false
  }
}

function openNamespaces(ratesKbps: readonly number[]): BenchLinks {
  const [unit, hub] = [name('unit'), name('hub')]
  const close = async () => {
    run(`ip netns del ${unit}`)
    run(`ip netns del ${hub}`)
  }
  for (const space of [unit, hub]) {
    must(`ip netns add ${space}`)
    must(`ip -n ${space} link set lo up`)
  }
  for (const [at, kbps] of ratesKbps.entries()) {
    must(`ip link add u${at} netns ${unit} type veth peer name h${at} netns ${hub}`)
    must(`ip -n ${unit} addr add 10.231.${at}.1/24 dev u${at}`)
    must(`ip -n ${hub} addr add 10.231.${at}.2/24 dev h${at}`)
    must(`ip -n ${unit} link set u${at} up`)
    must(`ip -n ${hub} link set h${at} up`)
    must(
      `ip netns exec ${unit} tc qdisc add dev u${at} root tbf rate ${kbps}kbit burst 8kb latency ${queueMs}ms`,
    )
  }
  return {
    how: 'network namespaces',
    onUnit: ['ip', 'netns', 'exec', unit],
    onHub: ['ip', 'netns', 'exec', hub],
    listen: { host: '0.0.0.0', port: 5000 },
    targets: ratesKbps.map((_, at) => ({ id: `link${at}`, host: `10.231.${at}.2`, port: 5000 })),
    cut: (link) => must(`ip -n ${unit} link set u${link} down`),
    blackHole: (link) =>
      must(
        `ip -n ${unit} neigh replace 10.231.${link}.2 lladdr 02:00:00:00:00:01 dev u${link} nud permanent`,
      ),
    restore(link) {
      run(`ip -n ${unit} neigh del 10.231.${link}.2 dev u${link}`)
      must(`ip -n ${unit} link set u${link} up`)
    },
    setRate: (link, kbps) => must(shape(unit, link, kbps, 'change')),
    sentBytes: () => ratesKbps.reduce((sum, _, at) => sum + transmitted(unit, `u${at}`), 0),
    close,
  }
}

function shape(space: string, link: number, kbps: number, how: 'add' | 'change'): string {
  return `ip netns exec ${space} tc qdisc ${how} dev u${link} root tbf rate ${kbps}kbit burst 8kb latency ${queueMs}ms`
}

function transmitted(space: string, device: string): number {
  const args = ['-j', '-s', '-n', space, 'link', 'show', device]
  const [link] = JSON.parse(spawnSync('ip', args, { encoding: 'utf8' }).stdout) as {
    stats64?: { tx?: { bytes?: number } }
  }[]
  return link?.stats64?.tx?.bytes ?? 0
}

async function openRelays(shapes: readonly LinkShape[]): Promise<BenchLinks> {
  const listen = { host: '127.0.0.1', port: 20_000 + (process.pid % 10_000) * 2 }
  const relays = await Promise.all(
    shapes.map((shape, at) =>
      createLinkRelay({
        targetHost: listen.host,
        targetPort: listen.port,
        sourceAddress: `127.0.0.${30 + at}`,
        shape: { ...shape, queueMs },
        seed: at,
      }),
    ),
  )
  return {
    how: 'relays',
    onUnit: [],
    onHub: [],
    listen,
    targets: relays.map((relay, at) => ({ id: `link${at}`, host: relay.host, port: relay.port })),
    cut: (link) => relays[link]?.cut(),
    blackHole: (link) => relays[link]?.blackHole(),
    restore: (link) => relays[link]?.restore(),
    setRate: (link, kbps) => relays[link]?.setShape({ kbps }),
    sentBytes: () => null,
    async close() {
      await Promise.all(relays.map((relay) => relay.close()))
    },
  }
}
