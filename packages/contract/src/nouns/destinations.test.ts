import { expect, test } from 'vitest'
import { shownAddress } from './destinations.ts'

test('the readable part of an address holds the host, but nothing that permits sending there', () => {
  const cases = [
    ['rtmp://a.example/live/key', 'rtmp://a.example/live/…'],
    ['rtmps://u:p@a.example:443/live/instance/key?token=x', 'rtmps://a.example:443/live/…'],
    ['rtmp://a.example/key', 'rtmp://a.example/…'],
    ['rtsp://u:p@b.example:8554/in/one?token=x#y', 'rtsp://b.example:8554/in/one'],
    ['srt://[2001:db8::1]:9000?mode=caller&passphrase=secret0123', 'srt://[2001:db8::1]:9000'],
    ['udp://192.0.2.2:0', 'udp://192.0.2.2:0'],
    ['hls://k7m2p9qxw4rtn8vcb3hd6fgj', 'hls://…'],
    ['nonsense', '…'],
  ] as const
  for (const [url, shown] of cases) {
    expect(shownAddress(url)).toBe(shown)
    // The stored address may have been shortened before.
    if (shown !== '…') expect(shownAddress(shown)).toBe(shown)
  }
})
