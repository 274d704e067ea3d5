// The page takes only what it uses of the contract: schemas come with the forms that check by them, not with the first page.
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { refusals } from '@backhaul/contract/define/refusals/all'
import { type Plugin, parseAst } from 'vite'
import { reasonsAtHand } from './reasons-at-hand.ts'
import { classifyDeclarations, type Declared } from './schema-declarations.ts'

const contract = join(import.meta.dirname, '../../../packages/contract/src/')
/** Marks the file as it is written, with its schemas and examples. */
const asWritten = '?as-written'
/** Mark the halves of a file that has schemas. */
const rulesAlone = '?rules'
const schemasAlone = '?schemas'

/** True for the half with the schemas. */
export const isSchemas = (id: string): boolean => id.endsWith(schemasAlone)

/** The file of the texts that a page has from its start. */
const atHand = join(contract, 'define/refusals/at-hand.ts')

type Table = { readonly [name: string]: unknown }

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

interface ForCaller {
  method: string
  path: string
  type: string
  takesLong: boolean
}

const isEndpoint = (value: unknown): value is ForCaller =>
  isTable(value) && ['method', 'path', 'type', 'response'].every((name) => name in value)

const isOfEndpoints = (value: unknown): boolean =>
  isTable(value) && (isEndpoint(value) || Object.values(value).every(isOfEndpoints))

/** Fields of an endpoint that the caller in the browser reads; core alone checks and describes. */
const forCaller = (value: unknown): unknown => {
  if (isEndpoint(value)) {
    const { method, path, type, takesLong } = value
    return { method, path, type, ...(takesLong && { takesLong }) }
  }
  return Object.fromEntries(Object.entries(value as Table).map(([name, inside]) => [name, forCaller(inside)]))
}

type Statements = ReturnType<typeof parseAst>['body']

/** Initial values of a module's constants, as ranges of its text. */
const madeConstants = (statements: Statements): { start: number; end: number }[] =>
  statements
    .map((statement) => (statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement))
    .flatMap((statement) => (statement?.type === 'VariableDeclaration' ? statement.declarations : []))
    .flatMap(({ init }) => (init === null || /Function|Literal|Identifier/.test(init.type) ? [] : [init]))

/** Files such as no-eval.ts are imported for their effect; all others only declare. */
const doesSomething = (statements: Statements): boolean =>
  statements.some(({ type }) => type === 'ExpressionStatement')

function withMarks(code: string, statements: Statements): string {
  let marked = ''
  let done = 0
  for (const { start, end } of madeConstants(statements)) {
    marked += `${code.slice(done, start)}/* @__PURE__ */ (() => (${code.slice(start, end)}))()`
    done = end
  }
  return marked + code.slice(done)
}

const isExported = ({ statement }: Declared): boolean => statement.type === 'ExportNamedDeclaration'

/** Only the line breaks: the source map still leads to the line. */
const withoutText = (text: string): string => text.replaceAll(/[^\n]/g, '')

/** A file with schemas takes its names from its two halves, so that a page loads its rules without them. */
function bothHalves(declared: readonly Declared[], name: string): string {
  const exported = declared.filter(isExported)
  const namesOf = (half: readonly Declared[]) => half.flatMap(({ names }) => names)
  return [
    `export { ${namesOf(exported.filter(({ isSchema }) => !isSchema))} } from './${name}${rulesAlone}'`,
    `export { ${namesOf(exported.filter(({ isSchema }) => isSchema))} } from './${name}${schemasAlone}'`,
  ].join('\n')
}

type Specifier = Extract<Statements[number], { type: 'ImportDeclaration' }>['specifiers'][number]

const textOf = (code: string, { start, end }: { start: number; end: number }): string =>
  code.slice(start, end)

/** The statement without the names that are not mentioned: an import that is not needed would count as needed by a page. */
function importOf(code: string, statement: Statements[number], mentioned: ReadonlySet<string>): string {
  if (statement.type !== 'ImportDeclaration') return textOf(code, statement)
  const isNeeded = ({ local }: Specifier) => mentioned.has(local.name)
  const needed = statement.specifiers.filter(isNeeded)
  const isWhole = needed.length === statement.specifiers.length
  if (isWhole) return textOf(code, statement)
  const gap = withoutText(textOf(code, statement))
  if (needed.length === 0) return gap
  return `import { ${needed.map((one) => textOf(code, one))} } from ${textOf(code, statement.source)}${gap}`
}

/** The rules of a file, or its schemas, which import from the rules what they mention. */
function oneHalf(code: string, statements: Statements, declared: readonly Declared[], id: string): string {
  const isOfSchemas = isSchemas(id)
  const mine = declared.filter(({ isSchema }) => isSchema === isOfSchemas)
  const others = new Set(declared.filter((one) => !mine.includes(one)).map(({ statement }) => statement))
  const mentioned = new Set(mine.flatMap(({ mentions }) => [...mentions]))
  let half = ''
  let done = 0
  for (const statement of statements) {
    half += code.slice(done, statement.start)
    half += others.has(statement)
      ? withoutText(textOf(code, statement))
      : importOf(code, statement, mentioned)
    done = statement.end
  }
  half += code.slice(done)
  const name = basename(id).split('?')[0]
  const rules = declared.filter(({ isSchema }) => !isSchema)
  if (!isOfSchemas) return `${half}\nexport { ${rules.flatMap((one) => (isExported(one) ? [] : one.names))} }`
  const needed = rules.flatMap(({ names }) => names).filter((one) => mentioned.has(one))
  return needed.length === 0 ? half : `${half}\nimport { ${needed} } from './${name}${rulesAlone}'`
}

const textsAtHand = (): Table => Object.fromEntries(reasonsAtHand.map((code) => [code, refusals[code]]))

/**
 * 1. A file of endpoints becomes the table of their methods and paths: the packer cannot know that the rest is unused.
 * 2. A file with schemas becomes two, its rules and its schemas: the packer never divides a file, and a screen that
 *    needs one rule would load the schemas next to it, with their library.
 * 3. Every constant of the contract is marked as made without any other effect, which holds because the contract knows
 *    no platform. So the packer leaves out what is unused.
 * 4. Of the texts of refusals a page has those of its first screens; src/texts/texts.ts adds the others.
 */
export function contractForBrowser(): Plugin {
  return {
    name: 'contract-for-browser',
    async load(id) {
      if (id === atHand) return `export const atHand = ${JSON.stringify(textsAtHand())}`
      if (!id.startsWith(join(contract, 'api/')) || !id.endsWith('.ts')) return undefined
      const exported = Object.entries((await import(pathToFileURL(id).href)) as Table)
      const tables = exported.filter(([, value]) => isOfEndpoints(value))
      const others = exported.filter(([, value]) => !isOfEndpoints(value)).map(([name]) => name)
      return [
        ...tables.map(([name, table]) => `export const ${name} = ${JSON.stringify(forCaller(table))}`),
        // By a relative path: the whole one would be in the maps, and the same commit would give other bytes elsewhere.
        ...(others.length === 0 ? [] : [`export { ${others} } from './${basename(id)}${asWritten}'`]),
      ].join('\n')
    },
    transform(code, id) {
      if (!id.startsWith(contract)) return undefined
      const [file = '', query = ''] = id.split('?')
      const statements = parseAst(code).body
      const declared = classifyDeclarations(statements, file)
      const effect = { map: null, moduleSideEffects: doesSomething(statements) }
      const isHalf = [rulesAlone, schemasAlone].includes(`?${query}`)
      if (!isHalf && !declared.some(({ isSchema }) => isSchema))
        return { code: withMarks(code, statements), ...effect }
      if (!isHalf) return { code: bothHalves(declared, basename(file)), ...effect }
      const half = oneHalf(code, statements, declared, id)
      return { code: withMarks(half, parseAst(half).body), ...effect }
    },
  }
}
