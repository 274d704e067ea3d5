export interface Words {
  readonly [key: string]: string | Words
}

/** Spanish counts whole millions in a form of their own ("many"); without words for it the usual plural is used. */
export function withMany(words: Words): Words {
  const all: Record<string, string | Words> = {}
  for (const [key, value] of Object.entries(words)) {
    all[key] = typeof value === 'string' ? value : withMany(value)
    if (key.endsWith('_other')) all[key.replace(/_other$/, '_many')] = value
  }
  return all
}
