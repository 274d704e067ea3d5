import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { publishedText } from '../define/published.ts'
import { topics } from '../push/push.ts'
import { allEndpoints } from './api.ts'

const published = JSON.parse(
  readFileSync(new URL('../../published/openapi.json', import.meta.url), 'utf8'),
) as {
  paths: Record<string, Record<string, unknown>>
}

describe('the published interface', () => {
  it.each(allEndpoints())('$name has an example that satisfies its schema', ({ endpoint }) => {
    expect(endpoint.response.safeParse(endpoint.example).error).toBeUndefined()
  })

  it('is what the table of endpoints says', () => {
    expect(publishedText()).toBe(
      readFileSync(new URL('../../published/openapi.json', import.meta.url), 'utf8'),
    )
  })

  it('has one operation for each endpoint', () => {
    const operations = Object.values(published.paths).flatMap((item) => Object.keys(item))
    expect(operations).toHaveLength(allEndpoints().length)
  })

  it('names every field of a topic in exactly one kind', () => {
    for (const topic of topics) {
      const fields = Object.values(topic.kinds).flatMap((schema) =>
        Object.keys((schema as { shape: object }).shape),
      )
      expect(new Set(fields).size).toBe(fields.length)
    }
  })
})
