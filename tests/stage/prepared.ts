/** The data of a core that has started once, for the stages of a run: every first start would make the demo's users again. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSharedCore } from './shared-cores.ts'
import { pause } from './until.ts'

/** Made by `npm test`, removed with it. */
const place = process.env.TEST_FOLDER
const files = ['backhaul.db', 'secret.key']

/**
 * Copies the data of a first start of core with these settings to `to`. The first stage that needs it lets core make it.
 * Outside `npm test` nothing is prepared, and core begins with an empty folder.
 */
export async function prepareData(to: string, env: NodeJS.ProcessEnv): Promise<void> {
  if (!place) return
  const hasDemo = env.BACKHAUL_DEMO !== '0'
  const made = join(place, hasDemo ? 'with-demo' : 'without-demo')
  while (!existsSync(made)) {
    if (isMine(`${made}.lock`)) await makeData(made, env).finally(() => rmdirSync(`${made}.lock`))
    else await pause(100)
  }
  mkdirSync(to, { recursive: true })
  for (const file of files) copyFileSync(join(made, file), join(to, file))
}

/** Made by one stage at a time. */
function isMine(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    return false
  }
}

async function makeData(made: string, env: NodeJS.ProcessEnv): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-prepared-'))
  const output: string[] = []
  try {
    const core = startSharedCore({
      name: 'core',
      env: { ...env, BACKHAUL_DATA: folder },
      onLine: (line) => output.push(line),
    })
    await core.ready
    await core.stop()
    if (existsSync(join(folder, 'backhaul.db-wal')))
      throw new Error(`core did not close its database:\n${output.join('\n')}`)
    renameSync(folder, made)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
