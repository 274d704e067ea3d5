// A private PostgreSQL for the tests: in a temporary folder, only on a unix socket, removed at the end of the run.
import { execFile } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { superviseChild } from '@backhaul/runtime/child-process'

const run = promisify(execFile)
const user = 'backhaul'
const startsWithinMs = 20_000

export interface PrivatePostgresql {
  /** For `DATABASE_URL`; its user may create databases. */
  url: string
  /** Ends the server and keeps its data, as a failure does. */
  halt(): Promise<void>
  /** Starts it again. */
  resume(): Promise<void>
  stop(): Promise<void>
}

/** PostgreSQL refuses to run as root; `nobody` is everywhere. Ids in the form that spawn takes. */
async function otherThanRoot(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const idOf = async (flag: string) => Number((await run('id', [flag, 'nobody'])).stdout)
  return { uid: await idOf('-u'), gid: await idOf('-g') }
}

/**
 * Makes and starts a server with the programs in `binaries`; nothing survives its stop. Durability is switched off:
 * tests need speed, and lose nothing. Throws with the output of PostgreSQL when it does not start.
 */
export async function startPrivatePostgresql(
  binaries: string,
  within = tmpdir(),
): Promise<PrivatePostgresql> {
  const folder = mkdtempSync(join(within, 'backhaul-pg-'))
  const owner = await otherThanRoot()
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const data = join(folder, 'data')
  const initdb = ['-D', data, '-U', user, '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
  await run(join(binaries, 'initdb'), initdb, { cwd: folder, ...owner })

  const settings = [
    'listen_addresses=',
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'wal_level=minimal',
    'max_wal_senders=0',
    'checkpoint_timeout=1h',
    'autovacuum=off',
    'jit=off',
  ]
  let server: ReturnType<typeof superviseChild> | undefined
  const halt = async () => void (await server?.stop())
  const stop = async () => {
    await halt()
    rmSync(folder, { recursive: true, force: true })
  }
  async function resume(): Promise<void> {
    const output: string[] = []
    const child = superviseChild({
      command: join(binaries, 'postgres'),
      args: ['-D', data, '-k', folder, ...[...settings, 'max_connections=200'].flatMap((one) => ['-c', one])],
      cwd: folder,
      ...owner,
      killAfterMs: 5000,
      onStderrLine: (line) => output.push(line),
    })
    server = child
    const deadlineMs = Date.now() + startsWithinMs
    while (!output.some((line) => line.includes('ready to accept connections'))) {
      if (child.pid() === undefined || Date.now() > deadlineMs) {
        await stop()
        throw new Error(`PostgreSQL did not start:\n${output.join('\n')}`)
      }
      await sleep(20)
    }
  }
  await resume()
  const url = `postgresql://${user}@localhost/postgres?host=${encodeURIComponent(folder)}`
  return { url, halt, resume, stop }
}
