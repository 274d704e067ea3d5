// A further Ethernet interface of the machine, in one of its bridges, whose frames this program reads and writes. Linux.
//
// Node cannot make the ioctl that turns /dev/net/tun into an interface; perl can, which is part of every Debian. The
// interface is there as long as its program runs, so that none is left behind, however this one ends.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { type SupervisedChild, superviseChild } from './child-process.ts'

const run = promisify(execFile)

const HEAD_BYTES = 2
/** Frames that wait for the kernel; more are dropped. */
const BACKLOG_BYTES = 256 << 10
/** ip is there on Debian, and not on the usual path of services. */
const env = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` }

export const TAP_NAME = 'tap-ippipe'

/** Frames with their length (2 bytes) in front, in both directions; the first one out is the name of the interface. */
const program = `
use strict;
sub out {
  my $bytes = pack('n', length $_[0]) . $_[0];
  while (length $bytes) {
    my $written = syswrite(STDOUT, $bytes) // exit;
    substr($bytes, 0, $written, '');
  }
}
sysopen(my $tap, '/dev/net/tun', 2) or die "/dev/net/tun: $!\\n";
my $request = pack('Z16 S x22', '${TAP_NAME}%d', 0x1002);
ioctl($tap, 0x400454ca, $request) or die "TUNSETIFF: $!\\n";
out(unpack('Z16', $request));
my ($fromUs, $fromKernel, $waiting) = (fileno(STDIN), fileno($tap), '');
while (1) {
  my $readable = '';
  vec($readable, $_, 1) = 1 for $fromUs, $fromKernel;
  next if select($readable, undef, undef, undef) < 0;
  if (vec($readable, $fromKernel, 1)) {
    my $frame;
    out($frame) if sysread($tap, $frame, 65535);
  }
  if (vec($readable, $fromUs, 1)) {
    sysread(STDIN, $waiting, 65536, length $waiting) or exit;
    while (length $waiting >= 2) {
      my $length = unpack('n', $waiting);
      last if length $waiting < 2 + $length;
      syswrite($tap, substr($waiting, 2, $length));
      substr($waiting, 0, 2 + $length, '');
    }
  }
}
`

export interface EthernetTap {
  /** Into the network of the bridge. */
  send(frame: Uint8Array): void
  /** Resolves when the interface is gone. */
  close(): Promise<void>
}

export interface EthernetTapOptions {
  /** The name of a bridge of this machine. */
  readonly bridge: string
  /** Machines behind several taps of the bridge do not reach each other, only the other members of it. */
  readonly isolated?: boolean
  readonly onFrame: (frame: Buffer) => void
  /** The interface is gone, without a request. */
  readonly onLost: (why: string) => void
}

const isBridge = (name: string): boolean => existsSync(`/sys/class/net/${name}/bridge`)

/** Rejects with the error of the system, and leaves no interface behind. */
export async function openEthernetTap(options: EthernetTapOptions): Promise<EthernetTap> {
  const { bridge, isolated = false, onFrame, onLost } = options
  if (!isBridge(bridge)) throw new Error(`${bridge} is not a bridge of this machine`)
  const { promise: named, resolve: name, reject: fail } = Promise.withResolvers<string>()
  const said: string[] = []
  let isOpen = false
  const read = createFrameReader((frame) => {
    if (isOpen) onFrame(frame)
    else name(frame.toString())
  })
  const child: SupervisedChild = superviseChild({
    command: 'perl',
    args: ['-e', program],
    backlogLimitBytes: BACKLOG_BYTES,
    onStdout: read,
    onStderrLine: (line) => said.push(line),
    onExit({ error, code }) {
      const why = error ?? said.at(-1) ?? `the program of the interface ended with code ${code}`
      fail(new Error(why))
      if (isOpen) onLost(why)
    },
  })
  try {
    const tap = await named
    // The highest address in the bridge: the bridge keeps its own, which is the lowest.
    const address = ['fe', ...[...randomBytes(5)].map((byte) => byte.toString(16).padStart(2, '0'))].join(':')
    await ip('link', 'set', 'dev', tap, 'address', address, 'addrgenmode', 'none', 'master', bridge)
    if (isolated) await ip('link', 'set', tap, 'type', 'bridge_slave', 'isolated', 'on')
    isOpen = true
    await ip('link', 'set', tap, 'up')
  } catch (error) {
    isOpen = false
    await child.stop()
    throw error
  }
  return {
    send(frame) {
      const head = Buffer.alloc(HEAD_BYTES)
      head.writeUInt16BE(frame.length)
      child.write(Buffer.concat([head, frame]))
    },
    async close() {
      isOpen = false
      await child.stop()
    },
  }
}

/** Undefined where this machine can open one in the bridge; else why not. */
export async function tapFault(bridge: string): Promise<string | undefined> {
  try {
    const tap = await openEthernetTap({ bridge, onFrame: () => {}, onLost: () => {} })
    await tap.close()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function ip(...args: string[]): Promise<void> {
  await run('ip', args, { env }).catch((error: Error & { stderr?: string }) => {
    throw new Error(error.stderr?.trim() || error.message)
  })
}

function createFrameReader(onFrame: (frame: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    while (rest.length >= HEAD_BYTES) {
      const end = HEAD_BYTES + rest.readUInt16BE(0)
      if (rest.length < end) return
      onFrame(rest.subarray(HEAD_BYTES, end))
      rest = rest.subarray(end)
    }
  }
}
