// Separates the schemas of the contract from its rules: a declaration that reaches the library of schemas is a schema.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseAst } from 'vite'

type Program = ReturnType<typeof parseAst>
type Statement = Program['body'][number]

/** A statement at the top of a file that declares names. */
export interface Declared {
  readonly statement: Statement
  readonly names: readonly string[]
  /** Needs the library of schemas, directly or by what it refers to. */
  readonly isSchema: boolean
  /** Every name in it, also those of its own parameters. */
  readonly mentions: ReadonlySet<string>
}

interface Node {
  readonly type: string
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value

/** The name of a field, not of a value. */
const isFieldName = (node: object, key: string): boolean =>
  (key === 'key' || key === 'property') && 'computed' in node && !node.computed

/** A type, which is not there in the page; a cast and the like is an expression. */
const isType = ({ type }: Node): boolean =>
  type.startsWith('TS') && !/^TS(As|Satisfies|NonNull)Expression$/.test(type)

function visit(node: Node, see: (node: Node) => void): void {
  see(node)
  for (const [key, value] of Object.entries(node)) {
    if (isFieldName(node, key)) continue
    for (const inner of Array.isArray(value) ? value : [value])
      if (isNode(inner) && !isType(inner)) visit(inner, see)
  }
}

function namesIn(node: Node): Set<string> {
  const names = new Set<string>()
  visit(node, (inner) => {
    if (inner.type === 'Identifier' && 'name' in inner) names.add(String(inner.name))
  })
  return names
}

/** Names of the parameters and variables of the functions inside a statement. */
function namesBoundIn(statement: Statement): Set<string> {
  const bound = new Set<string>()
  const bind = (patterns: readonly Node[]) => {
    for (const pattern of patterns) for (const name of namesIn(pattern)) bound.add(name)
  }
  visit(statement, (node) => {
    if ('params' in node) bind(node.params as Node[])
    if (node.type === 'VariableDeclarator' && 'id' in node) bind([node.id as Node])
  })
  return bound
}

const declarationOf = (statement: Statement) =>
  statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement

function declaredBy(statement: Statement): string[] {
  const declaration = declarationOf(statement)
  if (declaration?.type === 'VariableDeclaration')
    return declaration.declarations.flatMap(({ id }) => [...namesIn(id)])
  const isNamed = declaration?.type === 'FunctionDeclaration' || declaration?.type === 'ClassDeclaration'
  return isNamed && declaration.id ? [declaration.id.name] : []
}

const parsed = new Map<string, readonly Declared[]>()

/** The declarations of a file as written. */
export function declarationsOf(file: string): readonly Declared[] {
  const before = parsed.get(file)
  if (before) return before
  const declared = classifyDeclarations(parseAst(readFileSync(file, 'utf8'), { lang: 'ts' }).body, file)
  parsed.set(file, declared)
  return declared
}

const schemasOf = (file: string): Set<string> =>
  new Set(declarationsOf(file).flatMap(({ isSchema, names }) => (isSchema ? names : [])))

/** Names of a file's imports that are schemas, or the library itself. */
function importedSchemas(body: readonly Statement[], file: string): string[] {
  return body.flatMap((statement) => {
    if (statement.type !== 'ImportDeclaration') return []
    const from = String(statement.source.value)
    const isLibrary = from === 'zod' || from.startsWith('zod/')
    const schemas = from.startsWith('.') ? schemasOf(join(dirname(file), from)) : undefined
    return statement.specifiers.flatMap((specifier) => {
      const name =
        specifier.type === 'ImportSpecifier' && 'name' in specifier.imported ? specifier.imported.name : ''
      return isLibrary || schemas?.has(name) ? [specifier.local.name] : []
    })
  })
}

/** The declarations among the statements of a file, each as a schema or a rule. */
export function classifyDeclarations(body: readonly Statement[], file: string): Declared[] {
  const found = body.flatMap((statement) => {
    const names = declaredBy(statement)
    return names.length === 0 ? [] : [{ statement, names, mentions: namesIn(statement) }]
  })
  const schemas = new Set(importedSchemas(body, file))
  for (let known = -1; known !== schemas.size; ) {
    known = schemas.size
    for (const { statement, names, mentions } of found) {
      const own = namesBoundIn(statement)
      if ([...mentions].some((name) => schemas.has(name) && !own.has(name)))
        for (const name of names) schemas.add(name)
    }
  }
  return found.map((one) => ({ ...one, isSchema: one.names.some((name) => schemas.has(name)) }))
}
