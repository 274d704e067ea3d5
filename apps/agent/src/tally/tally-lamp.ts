// The red light of the crew: a command of the owner, an LED of the machine, or both.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '@backhaul/runtime/log'

/** A command that hangs is ended after this time, so that the next state is shown. */
const usualCommandMs = 5000
const longestMessage = 200

export interface TallyLampOptions {
  /** For the shell, followed by `on` or `off`. */
  command: string | undefined
  /** The name of an LED of Linux. */
  led: string | undefined
  /** The folder of the LEDs of Linux. */
  ledFolder?: string
  commandMs?: number
  log: Log
}

export interface TallyLamp {
  show(onAir: boolean): void
  /** Resolves when the newest state is shown, or could not be. */
  settled(): Promise<void>
}

/**
 * Undefined where there is no light: neither a command nor an LED that the machine has. It is off from the start. One
 * state is set at a time, and of those that come meanwhile only the newest.
 */
export function createTallyLamp(options: TallyLampOptions): TallyLamp | undefined {
  const { command, led, ledFolder = '/sys/class/leds', commandMs = usualCommandMs, log } = options
  const ledPath = led === undefined ? undefined : foundLed(join(ledFolder, led), log)
  if (command === undefined && ledPath === undefined) return undefined

  let next: boolean | undefined
  let running: Promise<void> | undefined

  async function set(onAir: boolean): Promise<void> {
    const word = onAir ? 'on' : 'off'
    const ways = [
      command === undefined ? undefined : runCommand(command, word, commandMs),
      ledPath === undefined ? undefined : lightLed(ledPath, onAir),
    ]
    for (const way of await Promise.allSettled(ways))
      if (way.status === 'rejected') log.error(way.reason, `tally: light not switched ${word}`)
  }

  async function run(): Promise<void> {
    while (next !== undefined) {
      const now = next
      next = undefined
      await set(now)
    }
    running = undefined
  }

  function show(onAir: boolean): void {
    next = onAir
    running ??= run()
  }

  show(false)
  return { show, settled: async () => await running }
}

/** Settles when the command has ended, even if it leaves a program of its own running, such as one that blinks. */
function runCommand(command: string, word: 'on' | 'off', limitMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const child = spawn('/bin/sh', ['-c', `${command} "$1"`, 'sh', word], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let message = ''
  const timer = setTimeout(() => {
    endGroup(child.pid)
    reject(new Error(`not ended after ${limitMs} ms`))
  }, limitMs)
  child.stderr.on('data', (chunk) => {
    message = `${message}${chunk}`.slice(0, longestMessage)
  })
  child.on('error', (error) => {
    clearTimeout(timer)
    reject(error)
  })
  child.on('exit', (code) => {
    if (code !== 0) return
    clearTimeout(timer)
    resolve()
  })
  // The output of a failed program is complete by now.
  child.on('close', (code, signal) => {
    clearTimeout(timer)
    reject(new Error(message.trim() || `ended with ${code ?? signal}`))
  })
  return promise
}

/** The shell, and what it has started. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

function foundLed(path: string, log: Log): string | undefined {
  if (existsSync(join(path, 'brightness'))) return path
  log.error({ led: path }, 'tally: this machine has no such LED')
  return undefined
}

/** Zero also ends any other function of the LED. */
async function lightLed(path: string, isOn: boolean): Promise<void> {
  const brightness = isOn ? (await readFile(join(path, 'max_brightness'), 'utf8')).trim() : '0'
  await writeFile(join(path, 'brightness'), brightness)
}
