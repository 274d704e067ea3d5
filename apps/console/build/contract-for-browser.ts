// The page takes only what it uses of the contract: schemas come with the forms that check by them, not with the first page.
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Plugin, parseAst } from 'vite'

const contract = join(import.meta.dirname, '../../../packages/contract/src/')
/** Marks the file as it is written, with its schemas and examples. */
const asWritten = '?as-written'

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

/**
 * 1. A file of endpoints becomes the table of their methods and paths: the packer cannot know that the rest is unused.
 * 2. Every constant of the contract is marked as made without any other effect, which holds because the contract knows
 *    no platform. So the packer leaves out a schema that is unused, also where its file has a rule that is used.
 */
export function contractForBrowser(): Plugin {
  return {
    name: 'contract-for-browser',
    async load(id) {
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
      const statements = parseAst(code).body
      let marked = ''
      let done = 0
      for (const { start, end } of madeConstants(statements)) {
        marked += `${code.slice(done, start)}/* @__PURE__ */ (() => (${code.slice(start, end)}))()`
        done = end
      }
      // Columns move, lines do not: the source map still leads to the line.
      return { code: marked + code.slice(done), map: null, moduleSideEffects: doesSomething(statements) }
    },
  }
}
