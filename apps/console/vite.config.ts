import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contractForBrowser, isSchemas } from './build/contract-for-browser.ts'
import { earlyCalls } from './build/early-calls.ts'
import { firstPages } from './build/first-pages.ts'
import { importFromFiles } from './build/import-from-files.ts'
import { towns } from './build/towns.ts'

// In development the page is served here and everything else by a core that is already running.
const core = process.env.BACKHAUL_CORE_URL ?? 'http://127.0.0.1:8080'
const toCore = { target: core, changeOrigin: false }

interface Modules {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null
}

/** Loaded for the sign-in page in addition to the entry; later screens use its parts of the component kit. */
const ofSignIn = ['session/sign-ins/LoginPage.tsx', 'texts/en/sign-in-texts.ts']

/** Loaded for the unit list in addition to the entry: the frame of the console, its work, and the list. */
const ofList = ['app/signed-in.ts', 'fleet/units/UnitsPage.tsx', 'texts/en/list-texts.ts']

/** Loaded right after the first rows: the bar above them, banners, toasts, and the menus of the list. */
const ofFrame = [
  'app/behind-screen.ts',
  'ui/SplitHandle.tsx',
  'ui/grid/ColumnResizer.tsx',
  'ui/grid/ColumnsMenu.tsx',
  'ui/grid/GridMenu.tsx',
  'fleet/units/AddUnitDialog.tsx',
  'fleet/units/RowMenu.tsx',
  'fleet/units/UnitInspector.tsx',
  'fleet/units/UnitDetails.tsx',
  'fleet/servers/ServerInspector.tsx',
  'fleet/servers/ServerPanel.tsx',
]

type Chooses = (id: string, modules: Modules) => boolean

/** Says of a module whether one of these imports it, directly or by what it imports; what is loaded later is left out. */
function reachedFrom(starts: readonly string[]): Chooses {
  let reached: Set<string> | undefined
  return (asked, modules) => {
    if (reached) return reached.has(asked)
    reached = new Set()
    const toVisit = starts.map((path) => join(import.meta.dirname, 'src', path))
    for (let id = toVisit.pop(); id !== undefined; id = toVisit.pop()) {
      if (reached.has(id) || isSchemas(id)) continue
      reached.add(id)
      toVisit.push(...(modules.getModuleInfo(id)?.importedIds ?? []))
    }
    return reached.has(asked)
  }
}

const chunkOf = (name: string, chooses: Chooses, priority: number) => ({
  name: (id: string, modules: Modules) => (chooses(id, modules) ? name : null),
  debugName: name,
  priority,
})

const isOfSignIn = reachedFrom(ofSignIn)
const isOfList = reachedFrom(ofList)
const isOfEntry = reachedFrom(['app/main.tsx'])
/** Needed by both first pages. */
const isFirst: Chooses = (id, modules) =>
  isOfEntry(id, modules) || (isOfSignIn(id, modules) && isOfList(id, modules))

/**
 * The libraries of the first pages, and the styles of the entry and of the list in one file with theirs: a browser has six
 * connections to core, and each further file of a first page would wait for a free one.
 */
const isOfVendor: Chooses = (id, modules) =>
  id.includes('.css')
    ? isOfEntry(id, modules) || isOfList(id, modules)
    : id.includes('/node_modules/') && isFirst(id, modules)

/**
 * Few files, in the order in which a user needs them: signing in, then the list of units, then everything else. Schemas
 * are in none of the first two (see build/first-pages.ts).
 */
const chunks = [
  chunkOf('vendor', isOfVendor, 4),
  { name: 'entry', tags: ['$initial' as const], priority: 3 },
  chunkOf('list', isOfList, 2),
  chunkOf('sign-in', isOfSignIn, 1.8),
  {
    name: 'contract',
    test: /\/node_modules\/zod\/|\/packages\/contract\/(?!src\/define\/refusals\/)/,
    priority: 1.5,
  },
  chunkOf('behind', reachedFrom(ofFrame), 1),
  chunkOf('dialogs', reachedFrom(['app/Dialogs.tsx']), 0),
]

export default defineConfig({
  plugins: [react(), contractForBrowser(), importFromFiles(), firstPages(), earlyCalls(), towns()],
  // A class belongs to the file that names it; the name of the file remains readable in the page.
  css: { modules: { localsConvention: 'camelCaseOnly', generateScopedName: '[name]_[local]' } },
  // Nothing is inlined: the content security policy admits the page's own files alone.
  build: {
    assetsInlineLimit: 0,
    outDir: 'dist',
    target: 'es2022',
    sourcemap: true,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: chunks, includeDependenciesRecursively: false },
      },
    },
    chunkSizeWarningLimit: 900,
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/luc/luc-core-web/rest': toCore,
      '/luc/luc-core-web/pubsub': { ...toCore, ws: true },
      '/luc-core-web/pubsub': { ...toCore, ws: true },
      '/login/openid': toCore,
      '/login': { ...toCore, bypass: (request) => (request.method === 'GET' ? '/index.html' : undefined) },
      '/logout': { ...toCore, bypass: (request) => (request.method === 'GET' ? '/index.html' : undefined) },
      '/healthz': toCore,
      '/preview': { ...toCore, ws: true },
    },
  },
})
