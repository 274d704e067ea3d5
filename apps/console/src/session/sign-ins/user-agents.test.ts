import { expect, test } from 'vitest'
import { userAgentText } from './user-agents.ts'

test('a browser is shown by its name and system, another program by its own words', () => {
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
  const shown = [
    [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/156.0.0.0 Safari/537.36`, 'Chrome, Linux'],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/156.0 Safari/537.36 Edg/156.0`,
      'Edge, Windows',
    ],
    ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'Firefox, Android'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1',
      'Safari, iOS',
    ],
    ['curl/8.9.1', 'curl/8.9.1'],
    ['', ''],
  ] as const
  for (const [agent, words] of shown) expect(userAgentText(agent)).toBe(words)
})
