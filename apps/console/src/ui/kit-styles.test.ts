// Styles of the component kit come part by part: one that is used without its styles would show bare.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const styles = join(dirname(createRequire(import.meta.url).resolve('@mantine/core/styles.css')), 'styles')

const used = new Set(
  (readdirSync(root, { recursive: true }) as string[])
    .filter((path) => /\.tsx?$/.test(path))
    .flatMap((path) => [...read(path).matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)])
    .flatMap(([, names = '']) => names.split(',').map((name) => name.trim().split(' ')[0] ?? '')),
)

const inOrder = [
  ...`${read('ui/kit-base.ts')}${read('ui/kit-styles.ts')}`.matchAll(/styles\/([\w-]+)\.layer\.css/g),
].map(([, name = '']) => name)
const loaded = new Set(inOrder)

test('every part of the kit that is in use has its styles', () => {
  const withStyles = [...used].filter((name) => existsSync(join(styles, `${name}.layer.css`)))
  expect(withStyles.length).toBeGreaterThan(15)
  expect(withStyles.filter((name) => !loaded.has(name))).toEqual([])
})

test('what all parts share is loaded, such as the sizes they are measured by', () => {
  const shared = readdirSync(styles).flatMap((file) => /^([a-z][\w-]*)\.layer\.css$/.exec(file)?.[1] ?? [])
  expect(shared).toContain('default-css-variables')
  expect(shared.filter((name) => !loaded.has(name))).toEqual([])
})

test('the parts come in the order of the sheet of the whole kit, where a later one wins', () => {
  const layer = (text: string) => text.replace('@layer mantine {', '').trim()
  const whole = readFileSync(join(styles, '..', 'styles.layer.css'), 'utf8')
  const places = inOrder.map((name) =>
    whole.indexOf(layer(readFileSync(join(styles, `${name}.layer.css`), 'utf8')).slice(0, 200)),
  )
  expect(places.filter((place) => place < 0)).toEqual([])
  expect(places).toEqual([...places].sort((one, other) => one - other))
})
