// UDP sockets that are bound to one interface. Node has no call for it; Python, which most systems have, does: it opens
// the socket and then executes a Node that passes the socket on.
import { execFile, spawn } from 'node:child_process'
import type { Socket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Two programs are started for a socket, which takes seconds on a busy machine; a link without one is used less well. */
const openingLimitMs = 30_000
const routeLimitMs = 10_000
const socketDescriptor = 9

const openAndBecome = `
import socket, os, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, sys.argv[1].encode() + b'\\0')
s.bind(('0.0.0.0', 0))
os.dup2(s.fileno(), ${socketDescriptor}, inheritable=True)
os.execv(sys.argv[2], sys.argv[2:])
`
/**
 * It ends once the socket has been received: of one that ends earlier, a busy program may receive the end first. Where
 * the receiver was killed before, Node reports no disconnect, so it ends by itself too.
 */
const handOver = (limitMs: number) => `
const socket = require('node:dgram').createSocket('udp4')
process.once('disconnect', () => process.exit())
setTimeout(() => process.exit(), ${limitMs})
socket.bind({ fd: ${socketDescriptor} }, () => process.send('socket', socket))
`

/** A bound IPv4 socket all of whose packets leave by the interface, or not at all. Rejects where that is not possible. */
export function openDeviceSocket(device: string, limitMs = openingLimitMs): Promise<Socket> {
  const args = ['-c', openAndBecome, device, process.execPath, '-e', handOver(limitMs)]
  const child = spawn('python3', args, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    timeout: limitMs,
  })
  return new Promise((resolve, reject) => {
    let message = ''
    child.stderr?.on('data', (bytes: Buffer) => {
      message = `${message}${bytes}`.slice(-500)
    })
    child.once('error', reject)
    child.once('message', (_, socket) => {
      resolve(socket as Socket)
      child.disconnect()
    })
    child.once('exit', (_, signal) => {
      const late = `python3 did not open the socket within ${limitMs / 1000} s`
      reject(new Error(message.trim().split('\n').at(-1) || (signal ? late : 'python3 ended early')))
    })
  })
}

/** The name that the system knows the interface by; undefined for a link that is an address alone. */
export function deviceOf(linkId: string): string | undefined {
  return /^[\w.:@-]+$/.test(linkId) && existsSync(`/sys/class/net/${linkId}`) ? linkId : undefined
}

export async function addressOf(host: string): Promise<string> {
  return isIP(host) ? host : (await lookup(host, { family: 4 })).address
}

/** An address of this machine: packets to it leave by no interface. */
export function isOwnAddress(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((entries = []) => entries)
  return address.startsWith('127.') || own.some((entry) => entry.address === address)
}

/**
 * The interface by which packets from the address would leave now; undefined where there is no route, or where the
 * system does not report it.
 */
export async function routeInterface(
  localAddress: string,
  remoteAddress: string,
): Promise<string | undefined> {
  try {
    const args = ['-o', 'route', 'get', remoteAddress, 'from', localAddress]
    const { stdout } = await run('ip', args, { timeout: routeLimitMs })
    return / dev (\S+)/.exec(stdout)?.[1]
  } catch {
    return undefined
  }
}
