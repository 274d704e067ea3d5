// Holds the rules of ARCHITECTURE.md that a compiler cannot: permitted imports, the order of the features, names.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { expect, test } from 'vitest'

const repository = dirname(import.meta.dirname)

/** Folder of a workspace, or of the code around them → what it may import. No app is ever imported. */
const mayImport: Record<string, readonly string[]> = {
  'packages/contract': [],
  'packages/runtime': [],
  'packages/ffmpeg': ['runtime'],
  'packages/bonding': ['runtime'],
  'packages/speech': ['runtime', 'bonding'],
  'packages/device': ['contract', 'runtime'],
  'apps/console': ['contract'],
  'apps/core': ['contract', 'runtime'],
  'apps/hub': ['contract', 'runtime', 'ffmpeg', 'bonding', 'speech', 'device'],
  'apps/agent': ['contract', 'runtime', 'ffmpeg', 'bonding', 'speech', 'device'],
  'apps/simulator': ['contract', 'runtime', 'ffmpeg', 'bonding', 'speech', 'device'],
  scripts: ['contract', 'runtime'],
  tests: ['contract', 'runtime', 'ffmpeg', 'bonding', 'speech', 'device', 'scripts'],
  bench: ['contract', 'runtime', 'ffmpeg', 'bonding', 'speech', 'device', 'scripts', 'tests'],
}

/** The folders that a file at the root may import from, such as the settings of a tool. */
const mayImportAtRoot = ['scripts']

interface Layer {
  /** Folders directly in src, and files there without their ending. */
  parts: readonly string[] | 'areas'
  mayImport: readonly string[]
}

/** The layers of an app that has features; `areas` means all of its areas. */
const layers: Record<string, Record<string, Layer>> = {
  'apps/core': {
    main: {
      parts: ['main', 'run', 'program', 'settings', 'openid-settings'],
      mayImport: ['areas', 'world', 'doors', 'database'],
    },
    areas: { parts: 'areas', mayImport: ['world', 'doors', 'database'] },
    world: { parts: ['world'], mayImport: ['doors', 'database'] },
    doors: { parts: ['doors'], mayImport: ['database'] },
    database: { parts: ['database'], mayImport: [] },
  },
  'apps/console': {
    main: { parts: ['app'], mayImport: ['areas', 'doors', 'ui', 'texts'] },
    areas: { parts: 'areas', mayImport: ['doors', 'ui', 'texts'] },
    doors: { parts: ['doors'], mayImport: ['texts'] },
    ui: { parts: ['ui'], mayImport: ['texts'] },
    texts: { parts: ['texts'], mayImport: [] },
  },
}

/** The areas of core in the written order; each lists its features in `<area>/<area>.ts`, in their order. */
const areasOfCore = [
  'platform',
  'people',
  'fleet',
  'transmission',
  'usage',
  'programme',
  'footage',
  'edge',
] as const
/** Folders of an area that are no feature: they come before those that are. */
const besideFeatures: Readonly<Partial<Record<string, readonly string[]>>> = {
  programme: ['tunnels'],
  edge: ['demo'],
}

function featuresOfCore(area: string): string[] {
  const list = readFileSync(join(repository, `apps/core/src/${area}/${area}.ts`), 'utf8')
  const folderOf = new Map(
    [...list.matchAll(/^import \{ (\w+Feature) \} from '\.\/([a-z0-9-]+)\/feature\.ts'$/gm)].map(
      ([, name, folder]) => [name, folder],
    ),
  )
  const added = [...list.matchAll(/\.add\('\w+', (\w+Feature)\)/g)].flatMap(
    ([, name]) => folderOf.get(name) ?? [],
  )
  return [...(besideFeatures[area] ?? []), ...added]
}

/** The areas of the console in the written order. Each folder of one is a feature; the kit has none. */
const areasOfConsole = ['session', 'kit', 'people', 'fleet', 'equipment', 'usage', 'platform'] as const

const foldersIn = (folder: string): string[] =>
  readdirSync(join(repository, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

/** The areas of an app, each of which imports only areas before it, and the features of each. */
const areas: Record<string, Record<string, readonly string[]>> = {
  'apps/core': Object.fromEntries(areasOfCore.map((area) => [area, featuresOfCore(area)])),
  'apps/console': Object.fromEntries(
    areasOfConsole.map((area) => [area, foldersIn(`apps/console/src/${area}`)]),
  ),
}

/**
 * The files of a feature that may be imported in addition to the one named as its folder: in core, its area lists the
 * feature; in the console, the shell and later features show its components, and its area lists its screens, while its
 * stores, hooks and labels are not imported.
 */
const alsoEntered: Record<string, (file: string, from: ReturnType<typeof placeOf>) => boolean> = {
  'apps/core': (file, from) =>
    from.feature === undefined &&
    file.startsWith(`apps/core/src/${from.area}/`) &&
    file.endsWith('/feature.ts'),
  'apps/console': (file, { layer = '' }) =>
    /\/([A-Z][A-Za-z]*\.tsx|screen\.tsx?)$/.test(file) && ['main', 'areas'].includes(layer),
}

/**
 * A table or a list of handlers may be long, one item a line. A lower limit was met by packing lines instead of by
 * splitting, which scripts/lint/no-packed-literals.grit forbids.
 */
const longestFileLines = 600
const emptyNames = new Set(
  ['manager', 'helper', 'util', 'common', 'misc'].flatMap((word) => [word, `${word}s`]),
)

// Written in pieces so that this file does not break its own rules.
const unfinished = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X'].join('|')})\\b`)
const packageHosts = new RegExp(['registry\\.[a-z]', 'npmjs' + '\\.', 'verdac' + 'cio'].join('|'), 'i')
const trademarks = /\bliveu\b|\blrt\b|\blu-?(smart|solo|lite|link|central|\d{2,4})\b|\bxtender\b/i

const notOurs = new Set([
  'node_modules',
  'dist',
  '.git',
  '.tools',
  'data',
  'coverage',
  'results',
  'published',
])

function filesBelow(folder: string): string[] {
  if (!existsSync(join(repository, folder))) return []
  return readdirSync(join(repository, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '.' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return notOurs.has(entry.name) ? [] : filesBelow(path)
    return entry.isFile() ? [path] : []
  })
}

const read = (path: string) => readFileSync(join(repository, path), 'utf8')
const allFiles = filesBelow('.')
const sources = allFiles.filter((path) => /\.(ts|tsx|mjs)$/.test(path))
const isTest = (path: string) => /\.test\.tsx?$/.test(path)
const workspaceOf = (path: string) => Object.keys(mayImport).find((folder) => path.startsWith(`${folder}/`))

interface Import {
  from: string
  /** As written: a relative path or the name of a package. */
  specifier: string
  /** The file inside the repository, when the path is relative. */
  file: string | undefined
}

/** Every import, re-export, dynamic import and worker file; the formatter puts statements at the start of a line. */
function importsOf(path: string): Import[] {
  const patterns = [
    /^(?:import|export)\b[^'"`;]*?\bfrom\s*'([^']+)'/gm,
    /^import\s*'([^']+)'/gm,
    /\bimport\(\s*'([^']+)'\s*\)/g,
    /\bnew URL\(\s*'(\.[^']+\.tsx?)',\s*import\.meta\.url/g,
  ]
  const text = read(path)
  const specifiers = patterns.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? ''))
  return specifiers.map((specifier) => ({
    from: path,
    specifier,
    file: specifier.startsWith('.')
      ? relative(repository, resolve(repository, dirname(path), specifier))
          .split(sep)
          .join('/')
      : undefined,
  }))
}

const imports = sources.flatMap(importsOf)
const shown = ({ from, specifier }: Import) => `${from} imports ${specifier}`

/** A file of an app: its part of src, its layer, and its feature when it belongs to one. */
function placeOf(app: string, path: string) {
  const [first = '', second = '', third] = path.slice(`${app}/src/`.length).split('/')
  const features = third === undefined ? undefined : areas[app]?.[first]
  const part = first.replace(/\.tsx?$/, '')
  const layer = Object.entries(layers[app] ?? {}).find(([, { parts }]) =>
    parts === 'areas' ? areas[app]?.[first] : parts.includes(part),
  )?.[0]
  return { part, layer, area: layer === 'areas' ? first : undefined, feature: features && second }
}

/** Tests and their helpers may import everything of the app. */
const isForTests = (path: string) => isTest(path) || /[/-]testing(\/|\.ts$)/.test(path)

const importsInside = (app: string) =>
  imports.filter(
    ({ from, file }) =>
      from.startsWith(`${app}/src/`) && file?.startsWith(`${app}/src/`) && !isForTests(from),
  )

test('the scanner finds the imports that this file has', () => {
  const found = importsOf('tests/architecture.test.ts').map(({ specifier }) => specifier)
  expect(found).toEqual(expect.arrayContaining(['node:fs', 'node:path', 'vitest']))
})

test('every workspace is in the import table', () => {
  const workspaces = ['apps', 'packages'].flatMap((folder) =>
    readdirSync(join(repository, folder)).map((name) => `${folder}/${name}`),
  )
  expect(workspaces.filter((workspace) => !mayImport[workspace])).toEqual([])
})

test('a workspace imports, and names in its package.json, only the workspaces of its row', () => {
  const breaches = imports.filter(({ from, specifier }) => {
    const imported = /^@backhaul\/([^/]+)/.exec(specifier)?.[1]
    return imported && !mayImport[workspaceOf(from) ?? '']?.includes(imported)
  })
  const named = Object.entries(mayImport).flatMap(([workspace, allowed]) => {
    const manifest = join(repository, workspace, 'package.json')
    if (!existsSync(manifest)) return []
    const { dependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      dependencies?: Record<string, string>
    }
    const ours = Object.keys(dependencies).filter((name) => name.startsWith('@backhaul/'))
    return ours
      .filter((name) => !allowed.includes(name.slice('@backhaul/'.length)))
      .map((name) => `${workspace} ${name}`)
  })
  expect([...breaches.map(shown), ...named]).toEqual([])
})

test('the version is in the package.json of the root, and in what is published from it', () => {
  const manifest = (path: string) => JSON.parse(read(path)) as { version?: string }
  const workspaces = Object.keys(mayImport).filter((folder) => allFiles.includes(`${folder}/package.json`))
  expect(workspaces.filter((folder) => manifest(`${folder}/package.json`).version)).toEqual([])
  const { info } = JSON.parse(read('packages/contract/published/openapi.json')) as {
    info: { version: string }
  }
  expect(info.version).toBe(manifest('package.json').version)
})

test('a relative import does not leave its workspace, the code around them excepted', () => {
  const leaving = imports.filter(({ from, file }) => {
    if (!file) return false
    const [own, other] = [workspaceOf(from), workspaceOf(file) ?? 'nothing of ours']
    return own !== other && !(own ? mayImport[own] : mayImportAtRoot)?.includes(other)
  })
  expect(leaving.map(shown)).toEqual([])
})

test('the contract imports zod alone', () => {
  const foreign = imports.filter(
    ({ from, file, specifier }) =>
      from.startsWith('packages/contract/src/') && !isTest(from) && !file && specifier !== 'zod',
  )
  expect(foreign.map(shown)).toEqual([])
})

test.for(Object.entries(layers))('inside %s a layer imports only those below it', ([app, table]) => {
  const own = filesBelow(`${app}/src`).filter((path) => !isForTests(path))
  expect(own.filter((path) => !placeOf(app, path).layer)).toEqual([])
  const breaches = importsInside(app).filter(({ from, file = '' }) => {
    const [lower = '', upper = ''] = [placeOf(app, file).layer, placeOf(app, from).layer]
    return lower !== upper && !table[upper]?.mayImport.includes(lower)
  })
  expect(breaches.map(shown)).toEqual([])
})

/** The nodes from which a way leads back to themselves. */
function inCircles(below: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reaches = (node: string, goal: string, seen = new Set<string>()): boolean =>
    [...(below.get(node) ?? [])].some(
      (next) => next === goal || (!seen.has(next) && reaches(next, goal, seen.add(next))),
    )
  return [...below.keys()].filter((node) => reaches(node, node))
}

function graphOf(edges: readonly (readonly [string, string])[]): Map<string, Set<string>> {
  const below = new Map<string, Set<string>>()
  for (const [upper, lower] of edges) below.set(upper, (below.get(upper) ?? new Set()).add(lower))
  return below
}

test('the search for circles finds one, and what only leads to it is not in it', () => {
  const edges = ['above a', 'a b', 'b c', 'c a', 'c below'].map((edge) => edge.split(' ') as [string, string])
  expect(inCircles(graphOf(edges))).toEqual(['a', 'b', 'c'])
})

test('no files import each other, not even in a circle, types included', () => {
  const edges = imports.flatMap(({ from, file }) => (file === undefined ? [] : [[from, file] as const]))
  expect(inCircles(graphOf(edges))).toEqual([])
})

test.for(Object.keys(mayImport))('no folders of %s import each other, not even in a circle', (workspace) => {
  const edges = importsInside(workspace).flatMap(({ from, file = '' }) => {
    const [upper, lower] = [placeOf(workspace, from).part, placeOf(workspace, file).part]
    return upper === lower ? [] : [[upper, lower] as const]
  })
  const isFolder = (part: string) => existsSync(join(repository, workspace, 'src', part))
  expect(inCircles(graphOf(edges)).filter(isFolder)).toEqual([])
})

/** As drawn: more would be no overview any more. */
const mostOnTopFloor = { rooms: 20, arrows: 80 }

test('the top floor of core can be drawn on one page', () => {
  const topOf = (path: string) => placeOf('apps/core', path).part
  const arrows = new Set(
    importsInside('apps/core')
      .map(({ from, file = '' }) => [topOf(from), topOf(file)] as const)
      .filter(([upper, lower]) => upper !== lower)
      .map((arrow) => arrow.join(' → ')),
  )
  const rooms = new Set([...arrows].flatMap((arrow) => arrow.split(' → ')))
  expect(rooms.size).toBeLessThanOrEqual(mostOnTopFloor.rooms)
  expect(arrows.size).toBeLessThanOrEqual(mostOnTopFloor.arrows)
  expect(rooms.size).toBeGreaterThan(10)
})

test.for(Object.entries(areas))('areas of %s import only earlier areas', ([app, table]) => {
  const order = Object.keys(table)
  const breaches = importsInside(app).filter(({ from, file = '' }) => {
    const [earlier, later] = [placeOf(app, file).area, placeOf(app, from).area]
    return earlier && later && order.indexOf(earlier) > order.indexOf(later)
  })
  expect(breaches.map(shown)).toEqual([])
})

/** The imports between features of an app. */
const featureEdges = (app: string) =>
  importsInside(app).flatMap(({ from, file = '' }) => {
    const [upper, lower] = [placeOf(app, from).feature, placeOf(app, file).feature]
    return upper && lower && upper !== lower ? [[upper, lower] as const] : []
  })

test('features of core import only features before them, and each is in the list of its area', () => {
  const order = Object.values(areas['apps/core'] ?? {}).flat()
  const folders = areasOfCore.flatMap((area) => foldersIn(`apps/core/src/${area}`))
  expect(folders.toSorted()).toEqual(order.toSorted())
  const breaches = featureEdges('apps/core').filter(
    ([upper, lower]) => order.indexOf(lower) > order.indexOf(upper),
  )
  expect(breaches).toEqual([])
})

test('features of the console do not import each other, not even in a circle', () => {
  const edges = featureEdges('apps/console')
  expect(edges.length).toBeGreaterThan(100)
  expect(inCircles(graphOf(edges))).toEqual([])
})

test('every migration is in the list, in the order of its number', () => {
  const list = read('apps/core/src/database/migrate.ts')
  const imported = [...list.matchAll(/^import \* as (\w+) from '\.\/migrations\/(.+)'$/gm)]
  const files = readdirSync(join(repository, 'apps/core/src/database/migrations')).toSorted()
  expect(imported.map(([, , file]) => file)).toEqual(files)
  const listed = /const migrations: .* = \[([^\]]*)\]/.exec(list)?.[1]?.match(/\w+/g)
  expect(listed).toEqual(imported.map(([, name]) => name))
})

test.for(Object.entries(alsoEntered))('a feature of %s is entered by its face', ([app, isAlsoEntered]) => {
  const breaches = importsInside(app).filter(({ from, file = '' }) => {
    const [entered, own] = [placeOf(app, file), placeOf(app, from)]
    if (!entered.feature || entered.feature === own.feature) return false
    const isNamedAsFolder = new RegExp(`/${entered.area}/${entered.feature}/${entered.feature}\\.tsx?$`).test(
      file,
    )
    return !isNamedAsFolder && !isAlsoEntered(file, own)
  })
  expect(breaches.map(shown)).toEqual([])
})

/**
 * The files that connect to addresses, and the origin of these. A new file here must state the origin of its addresses,
 * and an address that a user enters must not lead into the operator's own network.
 */
const connectsOut: Readonly<Record<string, string>> = {
  'database/database.ts': 'the operator, by DATABASE_URL',
  'database/database-lock.ts': 'the operator, by DATABASE_URL',
  'doors/source-address.ts': 'none: it compares addresses',
  'doors/outward-address.ts': 'none: it resolves and checks addresses',
  'doors/outward-request.ts': 'a user, never into the own network unless the operator allows it',
  'edge/client/internet-check.ts': 'the operator, by BACKHAUL_INTERNET_CHECK_URL',
  'people/openid/provider.ts': 'the operator, by BACKHAUL_OIDC_ISSUER',
  'footage/file-targets/ftp-transport.ts': 'a user, never into the own network unless the operator allows it',
  'footage/file-targets/s3-transport.ts': 'a user, never into the own network unless the operator allows it',
  'footage/file-targets/sftp-transport.ts':
    'a user, never into the own network unless the operator allows it',
  'footage/files/file-reading.ts': 'a server, at the address that it dialled core from',
  'people/openid/openid.ts': 'the operator, by BACKHAUL_OIDC_ISSUER',
  'platform/outbox/outbox.ts': 'the operator, by BACKHAUL_SMTP_URL',
  'platform/outbox/sms.ts': 'the operator, by BACKHAUL_SMS_URL',
  'programme/audio-rooms/audio-connect.ts': 'a server, at the address that it dialled core from',
  'fleet/previews/preview-pictures.ts': 'a server, at the address that it dialled core from',
  'fleet/previews/preview-stream.ts': 'a server, at the address that it dialled core from',
  'fleet/previews/preview-wall.ts': 'a server, at the address that it dialled core from',
}

test('core only connects to addresses of its operator, and to servers at the addresses from which they dialled', () => {
  const calls =
    /\bfetch\(|new WebSocket\(|import\('(ssh2|nodemailer|pg)'\)|^import (?!type)[^;']*'(node:(net|tls|https?|http2|dgram|dns)(\/promises)?|basic-ftp|nodemailer|openid-client|pg|undici)'/m
  const root = 'apps/core/src/'
  const found = filesBelow(root.slice(0, -1)).filter((path) => !isForTests(path) && calls.test(read(path)))
  expect(found.map((path) => path.slice(root.length)).toSorted()).toEqual(Object.keys(connectsOut).toSorted())
})

/** The files, apart from doors and kit, that know the libraries by which the console reads and edits. */
const alsoKnowsLibrary: Readonly<Record<string, string>> = {
  'app/Started.tsx': 'hands what was read to the whole page',
}

test('the console reads by useRead and useList, and edits by useRecordForm', () => {
  const root = 'apps/console/src/'
  const breaches = imports.filter(({ from, specifier }) => {
    const file = from.slice(root.length)
    const isOurs = from.startsWith(root) && !isTest(from) && !/^(doors|kit)\//.test(file)
    return isOurs && /^(@tanstack\/react-query|react-hook-form)$/.test(specifier) && !alsoKnowsLibrary[file]
  })
  expect(breaches.map(shown)).toEqual([])
})

test.for([
  ['form', 'ui/Form.tsx'],
  ['table', 'ui/StaticTable.tsx'],
])('an element <%s> of the console is made by %s', ([element, owner]) => {
  const root = 'apps/console/src/'
  const made = new RegExp(`<${element}[\\s>]`)
  const found = filesBelow(root.slice(0, -1)).filter((path) => path.endsWith('.tsx') && made.test(read(path)))
  expect(found).toEqual([root + owner])
})

test('the dialogs of the console have one frame', () => {
  const root = 'apps/console/src/'
  const made = /<Modal[\s.>]/
  const found = filesBelow(root.slice(0, -1)).filter((path) => path.endsWith('.tsx') && made.test(read(path)))
  // The palette has neither title nor footer.
  expect(found).toEqual([`${root}ui/CommandPalette.tsx`, `${root}ui/Dialog.tsx`])
})

/** The text between the brackets of each call of `name`. */
function argumentsOf(name: string, text: string): string[] {
  return [...text.matchAll(new RegExp(`\\b${name}\\(`, 'g'))].map(({ index }) => {
    let depth = 0
    for (let at = index; at < text.length; at += 1) {
      if (text[at] === '(') depth += 1
      if (text[at] === ')' && --depth === 0) return text.slice(index, at)
    }
    return ''
  })
}

test('no effect of the console reads from core', () => {
  const root = 'apps/console/src/'
  const own = sources.filter((path) => path.startsWith(root) && !isTest(path))
  const found = own.filter((path) =>
    argumentsOf('useEffect', read(path)).some((body) => /\bcall\(|\bfetch\(/.test(body)),
  )
  expect(found).toEqual([])
})

/** Style sheets whose classes count everywhere; all others are modules of their component. */
const globalSheets: Readonly<Record<string, string>> = {
  'ui/tokens.css': 'colours, sizes and typography',
  'ui/chrome.css': 'buttons, dialogs, toolbars and other elements that look the same everywhere',
  'ui/gauges.css': 'status shapes and small gauges',
  'app/shell.css': 'the frame of every page, and the words in it',
  'app/minimal-layout.css': 'the same frame without a menu',
  'app/narrow.css': 'the same frame on a phone',
}

test('a style sheet of the console is a module of its component, the named ones excepted', () => {
  const root = 'apps/console/src/'
  const sheets = allFiles.filter((path) => path.startsWith(root) && path.endsWith('.css'))
  const found = sheets.filter((path) => !path.endsWith('.module.css')).map((path) => path.slice(root.length))
  expect(found.toSorted()).toEqual(Object.keys(globalSheets).toSorted())
})

test(`no source file has more than ${longestFileLines} lines`, () => {
  expect(sources.filter((path) => read(path).split('\n').length > longestFileLines)).toEqual([])
})

test('a file name describes the content of the file', () => {
  const empty = allFiles.filter((path) =>
    basename(path)
      .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/)
      .some((word) => emptyNames.has(word.toLowerCase())),
  )
  expect(empty).toEqual([])
})

/** A program of a test may end itself. */
const signalsAnother = /process\.kill\((?!process\.pid\b)/

test('a test sends signals by signalProcess, which never takes a group for a process', () => {
  const tests = sources.filter(isForTests).filter((path) => !path.endsWith('/testing/processes.ts'))
  expect(tests.filter((path) => signalsAnother.test(read(path)))).toEqual([])
})

test('no source is left unfinished', () => {
  expect(sources.filter((path) => unfinished.test(read(path)))).toEqual([])
})

test('no file names the host of a package registry', () => {
  const texts = allFiles.filter((path) => !/\.(png|jpg|woff2|ts\.bin|ico)$/.test(path))
  const small = texts.filter((path) => statSync(join(repository, path)).size < 2_000_000)
  expect(small.filter((path) => packageHosts.test(read(path)))).toEqual([])
})

// The build leaves out the rest, see apps/console/build/contract-for-browser.ts; a schema is imported by its own name.
test('the console reads of an endpoint only what a call needs', () => {
  const ofEndpoint = /\b\w+\.\w+\.(params|query|body|response|example|summary|permission)\b/
  const readers = sources.filter(
    (path) => path.startsWith('apps/console/src/') && !isTest(path) && ofEndpoint.test(read(path)),
  )
  expect(readers).toEqual([])
})

test('the console shows no trademark of another maker', () => {
  const shownFiles = allFiles.filter((path) => path.startsWith('apps/console/') && !isTest(path))
  const lines = shownFiles.flatMap((path) =>
    read(path)
      .split('\n')
      .filter((line) => trademarks.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  )
  expect(lines).toEqual([])
})
