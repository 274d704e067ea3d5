import { expect, test } from 'vitest'
import { createLog } from './log.ts'
import { redactSecrets, withoutFolders } from './redact.ts'

test.each([
  [
    'rtmp://bob:S3cret@far.example:1935/live/KEY1: Connection refused',
    'rtmp://…@far.example:1935/live/…: Connection refused',
  ],
  ['to rtmps://far.example/a/b/KEY1?sign=X.', 'to rtmps://far.example/a/b/….'],
  ['rtmp://far.example/live?token=T/KEY1', 'rtmp://far.example/live?…'],
  [
    'srt://far.example:9000?mode=caller&passphrase=abcdefghij12&latency=1000',
    'srt://far.example:9000?mode=caller&passphrase=…&latency=1000',
  ],
  ['srt://h:1?streamid=#!::r=cam,m=publish: Input/output error', 'srt://h:1?streamid=… Input/output error'],
  ['rtsp://bob:p%40ss@far.example/live: 401 Unauthorized', 'rtsp://…@far.example/live: 401 Unauthorized'],
  ['rtsp://bob:p@ss@far.example/live', 'rtsp://…@far.example/live'],
  ['Error setting option rtmp_playpath=KEY1', 'Error setting option rtmp_playpath=…'],
  ['"url":"postgres://user:pw@db/backhaul","next":1', '"url":"postgres://…@db/backhaul","next":1'],
  ['http://console.example:8080/devices?page=2', 'http://console.example:8080/devices?page=2'],
  ['frame=10 speed=1x', 'frame=10 speed=1x'],
])('%s is written as %s', (text, clear) => {
  expect(redactSecrets(text)).toBe(clear)
})

test('a known secret is removed everywhere, unless it is as short as a word', () => {
  expect(redactSecrets('stream KEY1 is taken: KEY1', ['KEY1', 'is'])).toBe('stream … is taken: …')
})

test.each([
  [
    'file:/srv/my films/a.mkv: Invalid data found when processing input',
    'a.mkv: Invalid data found when processing input',
  ],
  ['Error opening input file file:/srv/films/a.mkv.', 'Error opening input file a.mkv.'],
  [
    "ENOENT: no such file or directory, open '/srv/my films/a.mkv'",
    "ENOENT: no such file or directory, open 'a.mkv'",
  ],
  ['spawn /usr/bin/mpv ENOENT', 'spawn mpv ENOENT'],
  ['/dev/video0: Input/output error (in /srv/films/)', 'video0: Input/output error (in films/)'],
  ['rtmp://far.example:1935/live/a: Broken pipe', 'rtmp://far.example:1935/live/a: Broken pipe'],
  ['http://[::1]/live/a, 25/1 fps, 640x360', 'http://[::1]/live/a, 25/1 fps, 640x360'],
])('%s is shown as %s', (text, shown) => {
  expect(withoutFolders(text)).toBe(shown)
})

test.each(['json', 'pretty'] as const)('no line of a log in %s holds a secret of an address', (format) => {
  const lines: string[] = []
  const log = createLog({ name: 'hub', format, write: (line) => lines.push(line) })
  log.warn({ line: 'rtmp://bob:S3cret@h/live/KEY1: Broken pipe' }, 'ffmpeg message')
  log.error(new Error('srt://h:1?passphrase=S3cret'), 'failed')
  expect(lines).toHaveLength(2)
  for (const line of lines) expect(line).not.toMatch(/S3cret|KEY1/)
  if (format === 'json')
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['ffmpeg message', 'failed'])
})
