import { spawn, spawnSync } from 'node:child_process'
import type { Output } from '@backhaul/contract/gateway/servers'
import { findFfmpeg } from '@backhaul/ffmpeg/find'
import { expect, onTestFinished, test } from 'vitest'
import { transportArguments } from './output-arguments.ts'

const ffmpegPath = findFfmpeg()

test.runIf(ffmpegPath)(
  'a track of sound that ends holds neither the picture nor the other tracks',
  async () => {
    const inputs =
      '-f lavfi -i testsrc2=size=320x180:rate=25 -f lavfi -i sine=400 -f lavfi -i sine=700:duration=1 -t 6'
    const tracks = '-map 0 -map 1 -map 2 -c:v libx264 -preset ultrafast -c:a aac -f mpegts pipe:1'
    const words = `-v error ${inputs} ${tracks}`.split(' ')
    const { stdout: whole } = spawnSync(ffmpegPath!, words, { maxBuffer: 1e8 })
    const args = transportArguments({ id: 'wire', protocol: 'srt', url: 'srt://127.0.0.1:9000' }, undefined)
    const child = spawn(ffmpegPath!, args)
    onTestFinished(() => void child.kill('SIGKILL'))
    let bytes = 0
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    // It is killed before it has read everything.
    child.stdin.on('error', () => {})
    // Its end, at which all would come, does not come.
    child.stdin.write(whole)
    await expect.poll(() => bytes).toBeGreaterThan(whole.length * 0.7)
  },
)

test.runIf(ffmpegPath).each<[string, Output]>([
  ['copied', { id: 'wire', protocol: 'srt', url: 'srt://127.0.0.1:9000' }],
  [
    'encoded again',
    { id: 'wire', protocol: 'mpegts', url: 'udp://127.0.0.1:9000', encoding: { videoKbps: 300 } },
  ],
])('a transport stream that is %s has the name and the labels of the service that came', (_, output) => {
  const service = ['-metadata', 'service_name=Camera 1', '-metadata', 'service_provider=slugline=Final']
  const source = '-v error -f lavfi -i testsrc2=size=160x90:rate=25:duration=3 -g 25 -f mpegts'.split(' ')
  const run = (args: readonly string[], input?: Buffer) =>
    spawnSync(ffmpegPath!, args, { maxBuffer: 1e8, ...(input && { input }) })
  const { stdout: sent } = run([...source, ...service, 'pipe:1'])
  const { stdout: received } = run(transportArguments(output, undefined), sent)
  const seen = run(['-hide_banner', '-f', 'mpegts', '-i', 'pipe:0'], received).stderr.toString()
  expect(seen).toMatch(/service_name *: Camera 1\n/)
  expect(seen).toMatch(/service_provider: slugline=Final\n/)
})
