// A constant does not exist before its line has run: what a program starts above it by a top-level await cannot call it.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseAst } from 'vite'
import { expect, test } from 'vitest'

const repository = dirname(import.meta.dirname)

interface Node {
  type: string
  start: number
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Outside of functions, whose awaits are their own. */
function hasAwait(node: Node): boolean {
  if (node.type === 'AwaitExpression') return true
  if (/Function/.test(node.type)) return false
  return Object.values(node)
    .flat()
    .some((value) => isNode(value) && hasAwait(value))
}

/** Lines of constants that hold a function, below the first top-level await. */
function lateConstants(source: string): number[] {
  const { body } = parseAst(source, { lang: 'ts' }) as unknown as { body: Node[] }
  const first = body.findIndex(hasAwait)
  if (first < 0) return []
  return body.slice(first + 1).flatMap((node) => {
    const { declarations = [] } = node as Node & { declarations?: { init?: Node }[] }
    const holdsFunction = declarations.some(({ init }) => init && /Function/.test(init.type))
    return holdsFunction ? [source.slice(0, node.start).split('\n').length] : []
  })
}

test('a constant function below a top-level await is found', () => {
  expect(lateConstants('await run()\nconst late = () => 1\nfunction run() {}\nconst number = 1')).toEqual([2])
  expect(lateConstants('const early = () => 1\nawait run()\nasync function run() { await 1 }')).toEqual([])
  expect(lateConstants('const later = () => 1')).toEqual([])
})

test('no program has one', () => {
  const files = execFileSync('git', ['ls-files', 'apps/*.ts', 'scripts/*.ts', 'bench/*.ts'], {
    cwd: repository,
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .filter((file) => !file.endsWith('.test.ts'))
  const found = files.flatMap((file) =>
    lateConstants(readFileSync(join(repository, file), 'utf8')).map((line) => `${file}:${line}`),
  )
  expect(found).toEqual([])
})
