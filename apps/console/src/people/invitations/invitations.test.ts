import { expect, test } from 'vitest'
import { faultOfLine, withPasted } from './invitations.ts'

test('a pasted list becomes a line each, and no more than may be sent at once', () => {
  expect(withPasted(['a@b.example', ''], 1, 'c@d.example, e@f.example;\n g@h.example\n')).toEqual([
    'a@b.example',
    'c@d.example',
    'e@f.example',
    'g@h.example',
  ])
  expect(withPasted([''], 0, 'x@y.example,'.repeat(60))).toHaveLength(50)
})

test("a refusal is shown at its recipient's line, also after empty lines", () => {
  const faults = { 'recipients.1': 'Invalid email format' }
  const lines = ['a@b.example', ' ', 'nobody', '']
  expect(lines.map((_, at) => faultOfLine(faults, lines, at))).toEqual([
    undefined,
    undefined,
    'Invalid email format',
    undefined,
  ])
})
