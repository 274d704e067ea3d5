import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@backhaul/runtime/testing/until'
import { expect, test } from 'vitest'
import { runHub } from '../testing/running-hub.ts'

test('generated pictures of an earlier start are used at every later one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hub-'))
  try {
    for (const start of ['first', 'second']) {
      const hub = await runHub({ bonded: 0, loops: 1, folder })
      try {
        // The pictures are generated at the lowest priority: a busy machine takes its time.
        await until(() => hub.hardware.facts().loops.length === 1, 100_000)
        const path = '/channels/loop-1/still.jpg'
        const still = await fetch(hub.previewUrl(path), { headers: hub.headers(path) })
        expect(still.status, `${start} start`).toBe(200)
      } finally {
        await hub.stop()
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
