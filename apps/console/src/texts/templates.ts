// Texts with {0}, {1} … in them, found again by what they were made into.

export interface Made<T extends string> {
  template: T
  /** What fills its {0}, {1} … */
  params: string[]
}

interface Pattern<T extends string> {
  template: T
  /** Of its places, in the order in which they stand. */
  places: number[]
  shape: RegExp
}

const place = /\{(\d)\}/
const escaped = (text: string) => text.replace(/[.*+?^$()|[\]\\{}]/g, '\\$&')

function patternOf<T extends string>(template: T): Pattern<T> {
  const parts = template.split(place)
  return {
    template,
    places: parts.filter((_, at) => at % 2 === 1).map(Number),
    shape: new RegExp(`^${parts.map((part, at) => (at % 2 === 1 ? '(.+)' : escaped(part))).join('')}$`, 's'),
  }
}

/** How much of a template is its own words. */
const wordsIn = (template: string) => template.replaceAll(/\{\d\}/g, '').length

/** Finds the template that a message was made of: of several that fit, the one that says most by itself. */
export function finderOf<T extends string>(
  templates: readonly T[],
): (message: string) => Made<T> | undefined {
  const plain = new Map<string, T>(templates.map((template) => [template, template]))
  const patterns = templates
    .filter((template) => place.test(template))
    .sort((a, b) => wordsIn(b) - wordsIn(a))
    .map(patternOf)
  return (message) => {
    const whole = plain.get(message)
    if (whole !== undefined) return { template: whole, params: [] }
    for (const { template, places, shape } of patterns) {
      const found = shape.exec(message)
      if (!found) continue
      const params: string[] = []
      for (const [at, index] of places.entries()) params[index] = found[at + 1] ?? ''
      return { template, params }
    }
    return undefined
  }
}
