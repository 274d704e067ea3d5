// Holds that a function can be read in one piece. A closure or a list of handlers may be long: what counts are the lines
// of a function itself, without those of the functions in it, which are counted for themselves.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { parseAst } from 'vite'
import { expect, test } from 'vitest'

const repository = dirname(import.meta.dirname)
const longestFunctionLines = 80

/** Tests and their helpers are read from top to bottom. */
const isForTests = /\.test\.tsx?$|[/-]testing(\/|\.ts$)|^tests\//
const langs = { '.ts': 'ts', '.tsx': 'tsx', '.mjs': 'js' } as const
type Extension = keyof typeof langs

interface Node {
  type: string
  start: number
  end: number
}
interface FunctionNode extends Node {
  id?: { name: string } | null
  body: Node
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

const isFunction = (node: Node): node is FunctionNode =>
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)

const childrenOf = (node: Node): Node[] =>
  Object.values(node)
    .flat()
    .filter((value) => isNode(value))

const functionsIn = (node: Node): FunctionNode[] =>
  childrenOf(node).flatMap((child) => [...(isFunction(child) ? [child] : []), ...functionsIn(child)])

/** The outermost functions in it, and whether each has a name: declared, or the value of a constant or of a property. */
const innerFunctions = (node: Node): { inner: FunctionNode; isNamed: boolean }[] =>
  childrenOf(node).flatMap((child) => {
    const isNamed = child.type === 'FunctionDeclaration' || /^(VariableDeclarator|Property)$/.test(node.type)
    const isInner = isFunction(child) && (isNamed || child.body.type === 'BlockStatement')
    return isInner ? [{ inner: child, isNamed }] : innerFunctions(child)
  })

/** Where a function only answers a table, it may be as long as the table. */
function isTable({ body }: FunctionNode): boolean {
  const { body: statements = [] } = body as Node & { body?: (Node & { argument?: Node })[] }
  const answer = body.type === 'BlockStatement' ? statements.length === 1 && statements[0]?.argument : body
  return isNode(answer) && /^(Object|Array)Expression$/.test(withoutTypes(answer).type)
}

const withoutTypes = (node: Node & { expression?: Node }): Node =>
  /^(TS(As|Satisfies)|Parenthesized)Expression$/.test(node.type) && node.expression
    ? withoutTypes(node.expression)
    : node

/** The functions of a source with more lines of their own than the limit. */
function longFunctions(
  source: string,
  extension: Extension,
  limit: number,
): { line: number; lines: number }[] {
  const lineAt = lineNumbers(source)
  const linesOf = ({ start, end }: Node) => lineAt(end) - lineAt(start) + 1
  /** The first and the last line of a callback belong to the call. */
  const insideOf = ({ inner, isNamed }: ReturnType<typeof innerFunctions>[number]) =>
    isNamed ? linesOf(inner) : Math.max(0, linesOf(inner.body) - 2)
  return functionsIn(parseAst(source, { lang: langs[extension] }))
    .filter((one) => linesOf(one) > limit && !isTable(one))
    .map((one) => ({
      line: lineAt(one.start),
      lines: linesOf(one) - innerFunctions(one).reduce((sum, each) => sum + insideOf(each), 0),
    }))
    .filter(({ lines }) => lines > limit)
}

function lineNumbers(source: string): (offset: number) => number {
  let line = 1
  const numbers = [...source].flatMap((sign) =>
    Array<number>(sign.length).fill(sign === '\n' ? line++ : line),
  )
  return (offset) => numbers[offset] ?? line
}

test('a function is as long as what is in it outside of other functions, and a table is none', () => {
  const source = [
    'function closure() {',
    '  function inner() {',
    '    one()',
    '    two()',
    '  }',
    '  on(() => {',
    '    three()',
    '  })',
    '  return inner',
    '}',
    'const table = () => ({',
    '  a: 1,',
    '  b: 2,',
    '  c: 3,',
    '}) satisfies Table',
  ].join('\n')
  expect(longFunctions(source, '.ts', 4)).toEqual([{ line: 1, lines: 5 }])
  expect(longFunctions(source, '.ts', 5)).toEqual([])
})

test(`no function has more than ${longestFunctionLines} lines of its own`, () => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: repository,
    encoding: 'utf8',
  }).split('\n')
  const sources = files.filter((path) => extname(path) in langs && !isForTests.test(path))
  const found = sources.flatMap((path) =>
    longFunctions(
      readFileSync(join(repository, path), 'utf8'),
      extname(path) as Extension,
      longestFunctionLines,
    ).map(({ line, lines }) => `${path}:${line}: ${lines}`),
  )
  expect(found).toEqual([])
})
