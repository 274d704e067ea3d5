import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RefusalBody } from './errors.ts'
import { refusalBodyOf } from './refusal-body.ts'

const param = fc.oneof(fc.string(), fc.integer())
const cause = fc.record({ code: fc.string({ maxLength: 64 }), params: fc.dictionary(fc.string(), param) })
const field = fc.record(
  { field: fc.string(), message: fc.string(), cause },
  { requiredKeys: ['field', 'message'] },
)
const body = fc.record(
  {
    code: fc.integer(),
    message: fc.string(),
    params: fc.array(param, { maxLength: 3 }),
    cause,
    fields: fc.array(field, { maxLength: 3 }),
  },
  { requiredKeys: ['code', 'message'] },
)

const junk = fc.oneof(
  fc.constantFrom(null, true, 1.5, 'text', [], {}, [null], { params: {} }),
  fc.string({ minLength: 60, maxLength: 70 }),
)

/** Something else at one place of the body, however deep. */
const broken = fc.tuple(body, fc.nat(), junk).map(([whole, which, other]) => {
  const places: (() => void)[] = []
  const copy = structuredClone(whole) as unknown as Record<string, unknown>
  const visit = (inside: Record<string, unknown>): void => {
    for (const [name, value] of Object.entries(inside)) {
      places.push(() => Object.defineProperty(inside, name, { value: other, enumerable: true }))
      if (typeof value === 'object' && value !== null) visit(value as Record<string, unknown>)
    }
  }
  visit(copy)
  places[which % places.length]?.()
  return copy
})

test('an answer is read as a refusal exactly where its schema lets it through', () => {
  let [passed, refused] = [0, 0]
  fc.assert(
    fc.property(fc.oneof(body, broken, fc.jsonValue()), (json) => {
      const byRule = RefusalBody.safeParse(json)
      if (byRule.success) passed++
      else refused++
      expect(refusalBodyOf(json)).toEqual(byRule.success ? json : undefined)
    }),
    { numRuns: 500 },
  )
  expect(Math.min(passed, refused)).toBeGreaterThan(20)
})
