// A recording on a disk that takes no file, as one that is full or was mounted again for reading alone.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { patientMs, until } from '@backhaul/runtime/testing/until'
import { expect, onTestFinished, test } from 'vitest'
import { runHub, sendByFfmpeg, wantedChannel } from '../testing/running-hub.ts'

const channelId = 'channel-of-srt-1'
const longMs = patientMs(90_000)
/** Longer than it takes to start a writer, and to start it again. */
const watchedMs = 6000

test.runIf(findFfmpeg())(
  'it is reported as failed with the reason and not as a recording, takes no channel off the air, and begins when there is room again',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'backhaul-full-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const hub = await runHub({ bonded: 0, inputs: ['srt'], folder })
    onTestFinished(() => hub.stop())
    const apply = (recording: boolean) =>
      hub.hardware.apply({ channels: [wantedChannel('srt-1', { recording })] }, new AbortController().signal)
    await apply(false)
    const sender = sendByFfmpeg(['-f', 'mpegts', hub.inputUrl('srt-1')])
    onTestFinished(() => sender.stop())
    const now = () => hub.channel(channelId)
    await until(() => now()?.status === 'collecting', longMs)
    // No folder can be made below it, also by root.
    writeFileSync(join(folder, 'recordings'), '')
    await apply(true)
    const seen = new Set<string>()
    const endMs = performance.now() + watchedMs
    while (performance.now() < endMs) {
      seen.add(`${now()?.status}, ${now()?.recording ? 'recording' : 'not recording'}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    expect([...seen]).toEqual(['collecting, not recording'])
    expect(now()?.failures).toMatchObject([
      { type: 'recordingFailed', cause: { code: 'recording.notWritable' } },
    ])
    rmSync(join(folder, 'recordings'))
    await until(() => now()?.recording, longMs)
    expect(now()?.failures).toEqual([])
    const files = readdirSync(join(folder, 'recordings'), { recursive: true, encoding: 'utf8' })
    expect(files.filter((name) => name.endsWith('.mp4'))).toHaveLength(1)
    await apply(false)
    await until(() => now()?.recording === false, longMs)
  },
  4 * longMs,
)
