import { expect, test } from 'vitest'
import { loggedPath } from './logged-path.ts'

test('[VR-005] a logged path has neither a query nor the secret of a link', () => {
  const base = '/luc/luc-core-web/rest/v2/public'
  expect(loggedPath(`${base}/sharelinks/Vb2pXyT0aWc1?x=1`)).toBe(`${base}/sharelinks/{token}`)
  expect(loggedPath(`${base}/verify/Vb2pXyT0aWc1/`)).toBe(`${base}/verify/{token}`)
  expect(loggedPath('/luc/luc-core-web/rest/v2/units/u-1?next=2')).toBe('/luc/luc-core-web/rest/v2/units/u-1')
})
