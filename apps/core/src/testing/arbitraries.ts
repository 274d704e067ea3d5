// Values for fast-check from the contract's own schemas: mostly what a schema accepts, sometimes what it must refuse.
import fc from 'fast-check'
import { z } from 'zod'

type Definition = Readonly<Record<string, unknown>>
const definitionOf = (schema: z.ZodType) => schema._zod.def as unknown as Definition

/** Texts that often cause defects: ends of ranges, other scripts, a zero byte, names of built-in fields. */
const stumbling = [
  '',
  ' ',
  '0',
  '-1',
  '%00',
  '\u0000',
  '../..',
  "' or 1=1 --",
  '__proto__',
  'null',
  '😀',
  '\ud800',
]

const strings = (names: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...names) },
    { weight: 3, arbitrary: fc.string({ maxLength: 40 }) },
    { weight: 1, arbitrary: fc.constantFrom(...stumbling) },
    { weight: 1, arbitrary: fc.string({ minLength: 256, maxLength: 1100 }) },
  )

const numbers = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 3000 }) },
  { weight: 1, arbitrary: fc.integer() },
  { weight: 1, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.constantFrom(-1, 0, 1e21, Number.MAX_SAFE_INTEGER, -0) },
)

/** Values that a schema accepts, by its kind; `names` are meaningful texts, such as ids of existing objects. */
function fitting(schema: z.ZodType, names: readonly string[]): fc.Arbitrary<unknown> {
  const definition = definitionOf(schema)
  const inner = (part: unknown) => arbitraryOf(part as z.ZodType, names)
  switch (definition.type) {
    case 'string':
      return strings(names)
    case 'number':
    case 'int':
      return numbers
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'undefined':
      return fc.constant(undefined)
    case 'literal':
      return fc.constantFrom(...(definition.values as unknown[]))
    case 'enum':
      return fc.constantFrom(...(schema as z.ZodEnum).options)
    case 'array':
      return fc.array(inner(definition.element), { maxLength: 5 })
    case 'record':
      return fc.dictionary(
        fc.constantFrom(...keysOf(definition.keyType), ...names),
        inner(definition.valueType),
        {
          maxKeys: 4,
        },
      )
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries((schema as z.ZodObject).shape).map(([name, field]) => [name, inner(field)]),
        ),
        { noNullPrototype: true },
      )
    case 'union':
      return fc.oneof(...(definition.options as unknown[]).map(inner))
    case 'nullable':
      return fc.option(inner(definition.innerType))
    case 'optional':
    case 'default':
      return fc.option(inner(definition.innerType), { nil: undefined })
    case 'pipe':
      return inner(definition.in)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

const keysOf = (key: unknown): string[] =>
  key instanceof z.ZodEnum ? key.options.map(String) : ['unit', 'grid']

export const arbitraryOf = (schema: z.ZodType, names: readonly string[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 14, arbitrary: fitting(schema, names) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  )
