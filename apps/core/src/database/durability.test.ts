// Acknowledged writes survive a process that is killed during a write.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it } from 'vitest'
import { openDatabase } from './database.ts'

/** Writes pairs of rows without end, and prints each pair's number once its transaction is acknowledged. */
const writer = `
  const { openDatabase } = await import(process.argv[1])
  const db = await openDatabase({ file: process.argv[2] })
  for (let n = 0; ; n++) {
    await db.transaction().execute(async (transaction) => {
      await transaction.insertInto('installation').values({ key: 'left ' + n, value: '' }).execute()
      await transaction.insertInto('installation').values({ key: 'right ' + n, value: '' }).execute()
    })
    process.stdout.write(n + '\\n')
  }
`

it('keeps every acknowledged row, and no half of a transaction, when core is killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'backhaul-kill-'))
  try {
    const file = join(folder, 'backhaul.db')
    for (const killAfter of [20, 45, 70]) {
      const acknowledged = await writeAndKill(`${file}-${killAfter}`, killAfter)
      const db = await openDatabase({ file: `${file}-${killAfter}` })
      const rows = await db.selectFrom('installation').select('key').execute()
      await db.destroy()
      const keys = new Set(rows.map((row) => row.key))
      expect(acknowledged).toBeGreaterThanOrEqual(killAfter)
      for (let n = 0; n < acknowledged; n++) expect(keys).toContain(`right ${n}`)
      expect([...keys].filter((key) => key.startsWith('left')).length * 2).toBe(keys.size)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

async function writeAndKill(file: string, killAfter: number): Promise<number> {
  const database = new URL('./database.ts', import.meta.url).href
  const child = spawn(process.execPath, ['--input-type=module', '-e', writer, database, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let acknowledged = 0
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged = Number(line) + 1
    if (acknowledged === killAfter) child.kill('SIGKILL')
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return acknowledged
}
