/** Networks that a test makes of the kernel's network namespaces: links between them, and ways in for the test. Linux, root. */
import { spawnSync } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type SupervisedChild, superviseChild } from '@backhaul/runtime/child-process'
import { type Place, passOn } from './pass-on.ts'
import { until } from './until.ts'

const program = join(import.meta.dirname, 'pass-on-main.ts')

export const ip = (...args: string[]) => spawnSync('ip', args, { encoding: 'utf8' })

/** Fails with what `ip` printed, or with the reason why it could not run. */
export function makeByIp(...args: string[]): void {
  const { status, stderr, error } = ip(...args)
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${error?.message ?? stderr.trim()}`)
}

/** Whether this machine lets the test make namespaces. */
export function canMakeNamespaces(): boolean {
  const trial = `bh-trial-${process.pid}`
  return (
    process.getuid?.() === 0 &&
    ip('netns', 'add', trial).status === 0 &&
    ip('netns', 'del', trial).status === 0
  )
}

export function makeNamespace(name: string): void {
  makeByIp('netns', 'add', name)
  makeByIp('-n', name, 'link', 'set', 'lo', 'up')
}

export const removeNamespace = (name: string): void => void ip('netns', 'del', name)

/** Runs a command in a namespace to its end; its standard output. */
export function runIn(namespace: string, command: string, args: readonly string[]): Buffer {
  return spawnSync('ip', ['netns', 'exec', namespace, command, ...args], { maxBuffer: 1e9 }).stdout
}

/** One end of a cable: an interface of a namespace, with an address of 24 bits. */
interface End {
  namespace: string
  name: string
  address: string
}

/** A cable between two namespaces, over which `near` sends at most this rate. */
export function makeCable(near: End, far: End, kbps?: number): void {
  const peer = ['peer', 'name', far.name, 'netns', far.namespace]
  makeByIp('-n', near.namespace, 'link', 'add', near.name, 'type', 'veth', ...peer)
  for (const { namespace, name, address } of [near, far]) {
    makeByIp('-n', namespace, 'addr', 'add', `${address}/24`, 'dev', name)
    makeByIp('-n', namespace, 'link', 'set', name, 'up')
  }
  if (kbps === undefined) return
  const shape = `-n ${near.namespace} qdisc add dev ${near.name} root tbf rate ${kbps}kbit burst 16kb latency 300ms`
  const { status, stderr } = spawnSync('tc', shape.split(' '), { encoding: 'utf8' })
  if (status !== 0) throw new Error(`tc ${shape}: ${stderr}`)
}

/** All bytes that an interface has sent so far, by the kernel. */
export function bytesSent(namespace: string, name: string): number {
  const { stdout } = ip('-n', namespace, '-j', '-s', 'link', 'show', 'dev', name)
  const [device] = JSON.parse(stdout) as { stats64?: { tx: { bytes: number } } }[]
  return device?.stats64?.tx.bytes ?? 0
}

/** Passes everything that comes to one place on to another one, both in a namespace, until it is stopped. */
export async function passOnIn(namespace: string, from: Place, to: Place): Promise<SupervisedChild> {
  let isListening = false
  const child = superviseChild({
    command: 'ip',
    args: ['netns', 'exec', namespace, process.execPath, program, JSON.stringify(from), JSON.stringify(to)],
    onStdoutLine: () => {
      isListening = true
    },
  })
  await until('the way between the namespaces', () => isListening)
  return child
}

export interface Door {
  readonly url: string
  close(): Promise<void>
}

/** A way from here to an HTTP server in a namespace, by a socket at this path. */
export async function openDoor(namespace: string, port: number, path: string): Promise<Door> {
  const inner = await passOnIn(namespace, { path }, { host: '127.0.0.1', port })
  const outer = await passOn({ host: '127.0.0.1', port: 0 }, { path })
  return {
    url: `http://127.0.0.1:${(outer.address() as AddressInfo).port}`,
    async close() {
      outer.close()
      await inner.stop()
    },
  }
}
