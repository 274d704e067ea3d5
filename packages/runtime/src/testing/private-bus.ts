/** A D-Bus of a test's own, on which any service may have any name; the bus of the machine is not touched. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SupervisedChild, superviseChild } from '../child-process.ts'
import { until } from './until.ts'

export interface PrivateBus {
  /** For the variables DBUS_SYSTEM_BUS_ADDRESS and DBUS_SESSION_BUS_ADDRESS. */
  readonly address: string
  /** A folder of the test; removed at its end. */
  readonly folder: string
  /** A service on this bus, which ends with it. */
  run(command: string, args: readonly string[], options?: RunOptions): SupervisedChild
  stop(): Promise<void>
}

interface RunOptions {
  env?: NodeJS.ProcessEnv
  /** Called for each line of both output streams. */
  onLine?: (line: string) => void
}

const daemon = '/usr/bin/dbus-daemon'
const isRoot = process.getuid?.() === 0

/** Whether this machine can run these services for a test, by the paths of their programs. */
export const canRunServices = (...paths: string[]): boolean =>
  isRoot && [daemon, ...paths].every((path) => existsSync(path))

/** The file is there a moment before anything listens at it. */
const accepts = (path: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(path)
    const answer = (isAccepted: boolean) => {
      socket.destroy()
      resolve(isAccepted)
    }
    socket.once('connect', () => answer(true)).once('error', () => answer(false))
  })

export async function startPrivateBus(): Promise<PrivateBus> {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-bus-'))
  const socket = join(folder, 'bus')
  const address = `unix:path=${socket}`
  const config = join(folder, 'bus.conf')
  writeFileSync(
    config,
    `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>${address}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow own="*"/>
    <allow send_type="method_call"/>
    <allow send_type="signal"/>
    <allow send_destination="*"/>
    <allow receive_type="method_call"/>
    <allow receive_type="method_return"/>
    <allow receive_type="error"/>
    <allow receive_type="signal"/>
  </policy>
</busconfig>
`,
  )
  const children: SupervisedChild[] = []
  function run(command: string, args: readonly string[], { env, onLine = () => {} }: RunOptions = {}) {
    const child = superviseChild({
      command,
      args,
      env: {
        ...process.env,
        DBUS_SYSTEM_BUS_ADDRESS: address,
        DBUS_SESSION_BUS_ADDRESS: address,
        ...env,
      },
      onStdoutLine: onLine,
      onStderrLine: onLine,
    })
    children.push(child)
    return child
  }
  run(daemon, ['--config-file', config, '--nofork', '--nopidfile'])
  await until(() => accepts(socket))
  return {
    address,
    folder,
    run,
    async stop() {
      for (const child of children.toReversed()) await child.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
