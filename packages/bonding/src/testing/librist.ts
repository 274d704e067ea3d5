// librist's ristsender and ristreceiver as child processes: the peer that ours must work with.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'

export type LibristProcess = {
  /** The text of the newest statistics of a receiver, as librist printed it (JSON); empty before the first. */
  receiverStats(): string
  close(): Promise<void>
}

/** Why librist's tools cannot be used, or null when both are there. */
export function libristMissing(): string | null {
  for (const tool of ['ristsender', 'ristreceiver']) {
    if (spawnSync(tool, ['--help']).error) return `${tool} is not installed (Debian package rist-tools)`
  }
  return null
}

/** `prefix` is put before the command, such as `ip netns exec hub`. */
export type LibristOptions = { prefix?: readonly string[]; bufferMs: number; profile?: 0 | 1 }

export function startRistReceiver(
  options: LibristOptions & { listen: string; outputUdp: string },
): LibristProcess {
  const input = `rist://@${options.listen}?buffer=${options.bufferMs}`
  return start(options, 'ristreceiver', ['-i', input, '-o', `udp://${options.outputUdp}`])
}

/** Every target is `host:port`, with its weight when the links are unequal. */
export function startRistSender(
  options: LibristOptions & { inputUdp: string; targets: readonly { address: string; weight?: number }[] },
): LibristProcess {
  const urls = options.targets.map(
    (target) => `rist://${target.address}?buffer=${options.bufferMs}&weight=${target.weight ?? 5}`,
  )
  return start(options, 'ristsender', ['-i', `udp://@${options.inputUdp}`, '-o', urls.join(',')])
}

function start(options: LibristOptions, tool: string, args: string[]): LibristProcess {
  const command = [
    ...(options.prefix ?? []),
    tool,
    '-p',
    String(options.profile ?? 0),
    ...args,
    '-S',
    '500',
    '-v',
    '6',
  ]
  const child = spawn(command[0]!, command.slice(1), { stdio: ['ignore', 'ignore', 'pipe'] })
  let stats = ''
  createInterface({ input: child.stderr }).on('line', (line) => {
    const at = line.indexOf('{"receiver-stats"')
    if (at >= 0) stats = line.slice(at)
  })
  return { receiverStats: () => stats, close: () => end(child) }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const killing = setTimeout(() => child.kill('SIGKILL'), 1000)
  await gone
  clearTimeout(killing)
}
