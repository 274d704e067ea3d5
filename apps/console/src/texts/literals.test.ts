// No words of the interface are in the source: every one comes by its key (GAP-GEN-03).
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import { english } from './en/en.ts'

const root = join(import.meta.dirname, '..')
const sources = (readdirSync(root, { recursive: true }) as string[]).filter(
  (path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path),
)

/** Attributes and properties whose text is shown or read aloud. */
const shown =
  /^(title|label|aria-label|ariaLabel|description|placeholder|alt|text|data-tip|okLabel|error|message|emptyText|nothingFoundMessage)$/

/** The same in every language: names of the product and of firms, of the languages themselves, of keys, symbols of measures, and addresses. */
const everywhere = new Set([
  'Backhaul',
  'Oracle',
  'AWS',
  'English',
  'Español',
  'Ctrl K',
  'Esc',
  'ms',
  'fps',
  'Mbps',
  'kbps',
  'https://',
  'desk@station.example',
])

/** The table of screens names its words by their key. */
const isKey = (text: string) => text in english.app.menu

const isPath = (text: string) => /^\/[a-z_/]+$/.test(text)

interface Node {
  type: string
  [field: string]: unknown
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

const isWord = (text: string) =>
  /\p{L}{2}/u.test(text) && !everywhere.has(text.trim()) && !isKey(text) && !isPath(text)

/** Literals of a shown place itself, past a choice between two. */
function literalsIn(value: unknown): string[] {
  if (!isNode(value)) return []
  if (value.type === 'Literal') return typeof value.value === 'string' ? [value.value] : []
  if (value.type === 'TemplateLiteral')
    return (value.quasis as { value: { cooked: string } }[]).map((part) => part.value.cooked)
  if (value.type === 'JSXExpressionContainer') return literalsIn(value.expression)
  if (value.type === 'ConditionalExpression')
    return [...literalsIn(value.consequent), ...literalsIn(value.alternate)]
  if (value.type === 'LogicalExpression') return [...literalsIn(value.left), ...literalsIn(value.right)]
  return []
}

function visibleLiterals(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(visibleLiterals)
  if (!isNode(node)) return []
  const own: string[] = []
  const name = ((node.name ?? node.key) as { name?: string; value?: string } | undefined) ?? {}
  if (node.type === 'JSXText') own.push(node.value as string)
  if (node.type === 'JSXElement' || node.type === 'JSXFragment')
    own.push(
      ...(node.children as Node[])
        .filter(({ type }) => type === 'JSXExpressionContainer')
        .flatMap(literalsIn),
    )
  if (node.type === 'JSXAttribute' && shown.test(`${name.name}`)) own.push(...literalsIn(node.value))
  if (node.type === 'Property' && shown.test(`${name.name ?? name.value}`))
    own.push(...literalsIn(node.value))
  return [...own, ...Object.values(node).flatMap(visibleLiterals)]
}

const literalsOf = (source: string) => visibleLiterals(parseAst(source, { lang: 'tsx' })).filter(isWord)

test('the scanner sees words wherever a user would', () => {
  const source = `
    const x = <p title="A title" className="of no concern">Some text {open ? 'Open' : t('closed')}</p>
    toast({ title: \`Saved \${name}\`, tone: 'good' })
    const y = <Icon aria-label={t('of.a.key')} />`
  expect(literalsOf(source).map((text) => text.trim())).toEqual(['Open', 'A title', 'Some text', 'Saved'])
})

test('[SHELL-029] no source of the console shows text that is not by key', () => {
  const found = sources.flatMap((path) =>
    literalsOf(readFileSync(join(root, path), 'utf8')).map((text) => `${path}: ${text.trim()}`),
  )
  expect(found).toEqual([])
})
