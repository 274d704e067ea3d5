// Runs and restarts one program of Backhaul: `supervise.ts <program or script> [arguments]`. A program, `agent` or `hub`, is
// built first where its sources have changed.
//
// It is restarted immediately on its request (a reboot by an operator), after a pause when it crashed, and not at all
// when it ended normally or its settings are wrong. Standard output, errors and the last exit code are its own.
import { superviseChild } from '@backhaul/runtime/child-process'
import { createLog } from '@backhaul/runtime/log'
import { failStart } from '@backhaul/runtime/settings'
import { onStop } from '@backhaul/runtime/stop'
import { buildChanged, builtMain, isProgram } from './parts.ts'
import { repository } from './places.ts'
import { compileCache, memoryOf, restartAfter, whyEnded } from './program.ts'

/** Longer than a program itself takes at most. */
const killAfterMs = 12_000

const [named = '', ...args] = process.argv.slice(2)
const log = createLog({ name: 'supervisor', format: process.env.BACKHAUL_LOG === 'json' ? 'json' : 'pretty' })
const lastLines: string[] = []
const keptLines = 20

// Before the build, during which a signal simply ends this process.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
if (isProgram(named))
  await buildChanged([named], () => process.stderr.write(`Building ${named} …\n`)).catch(failStart)

const memory = memoryOf(named)
const program = superviseChild({
  command: process.execPath,
  args: [
    '--disable-warning=ExperimentalWarning',
    ...memory.args,
    isProgram(named) ? builtMain(repository, named) : named,
    ...args,
  ],
  env: { NODE_COMPILE_CACHE: compileCache, ...memory.env, ...process.env, BACKHAUL_SUPERVISED: '1' },
  killAfterMs,
  restart: (exit, pauseMs) => (exit.code === 0 ? undefined : restartAfter(exit, pauseMs)),
  onStdoutLine: (line) => process.stdout.write(`${line}\n`),
  onStderrLine(line) {
    lastLines.push(line)
    if (lastLines.length > keptLines) lastLines.shift()
    process.stderr.write(`${line}\n`)
  },
  onExit(exit, restartInMs) {
    if (restartInMs !== undefined)
      log.warn({ reason: whyEnded(lastLines, exit), restartInMs }, 'the program ended, restarting')
    lastLines.length = 0
  },
})
onStop(log, program.stop, { limitMs: killAfterMs + 2000 })
const { code } = await program.exited
process.exit(code ?? 1)
