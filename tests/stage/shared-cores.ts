/** The cores of stages that need no process of their own: one process runs those of all test files of this worker. */
import { join } from 'node:path'
import { type SupervisedChild, superviseChild } from '@backhaul/runtime/child-process'
import { compileCache, type Program, type ProgramOptions, type Ready } from '../../scripts/program.ts'

interface Report {
  id: number
  line?: string
  ready?: Ready
  stopped?: true
  failed?: string
}

const script = join(import.meta.dirname, '..', '..', 'apps', 'core', 'src', 'testing', 'cores-program.ts')

let cores: SupervisedChild | undefined
let count = 0
const receivers = new Map<number, (report: Omit<Report, 'id'>) => void>()

function launch(): SupervisedChild {
  const lastLines: string[] = []
  return superviseChild({
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', script],
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env, BACKHAUL_SUPERVISED: '1' },
    onStdoutLine: (line) => {
      const { id, ...report } = JSON.parse(line) as Report
      receivers.get(id)?.(report)
    },
    onStderrLine: (line) => lastLines.push(line),
    onExit: ({ code, signal }) => {
      cores = undefined
      const failed = `the process of the cores ended (${signal ?? code}):\n${lastLines.join('\n')}`
      for (const receive of receivers.values()) receive({ failed })
    },
  })
}

function order(message: { id: number; env?: NodeJS.ProcessEnv }): void {
  cores ??= launch()
  cores.write(Buffer.from(`${JSON.stringify(message)}\n`))
}

/** A core in the shared process; what happens to it is seen by its lines, its ready line and its end alone. */
export function startSharedCore({
  name,
  env,
  onLine,
}: Pick<ProgramOptions, 'name' | 'env' | 'onLine'>): Program {
  const id = ++count
  const ready = Promise.withResolvers<Ready>()
  const ended = Promise.withResolvers<void>()
  let isEnded = false
  const end = () => {
    isEnded = true
    receivers.delete(id)
    ended.resolve()
  }
  receivers.set(id, (report) => {
    if (report.line !== undefined) onLine(report.line)
    if (report.ready) ready.resolve(report.ready)
    if (report.failed !== undefined) {
      onLine(report.failed)
      ready.reject(new Error(`${name} failed: ${report.failed}`))
    }
    if (report.stopped || report.failed !== undefined) end()
  })
  order({ id, env: { ...env, BACKHAUL_SUPERVISED: '1' } })
  return {
    name,
    ready: ready.promise,
    pid: () => undefined,
    async stop() {
      if (!isEnded) order({ id })
      await ended.promise
    },
  }
}
