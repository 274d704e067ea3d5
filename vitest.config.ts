import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/test-order.ts'

/** The factor for a slow machine, set by `scripts/test.ts`. */
const patience = Number(process.env.TEST_PATIENCE ?? 1)
const isSlow = patience > 1

/** Sources that Node runs as they are need not be transformed by Vite, which no test mocks or looks into. */
const experimental = { viteModuleRunner: false, nodeLoader: false }

/** Tests next to their sources: quick, and safe to run several files at a time. */
const unitTests = (name: string, folders: readonly string[]) => ({
  test: {
    name,
    include: folders.map((folder) => `${folder}/**/*.test.{ts,tsx}`),
    pool: 'threads' as const,
    maxWorkers: 2,
    // A busy machine is no fault.
    testTimeout: 120_000 * patience,
    hookTimeout: 180_000 * patience,
    // Tests are chosen by the names of calls, which are long.
    taskTitleValueFormatTruncate: 0,
    expect: { poll: { timeout: 60_000 * patience } },
    sequence: { groupOrder: 1 },
    experimental,
  },
})

/**
 * Files that share nothing but modules, of which none keeps anything between two tests: what they import, the whole of
 * core above all, is loaded once for all of them instead of once a file.
 */
const sharing = (name: string, folders: readonly string[]) => ({
  test: { ...unitTests(name, folders).test, isolate: false },
})

/** They set the language of the console, which a library keeps in its module, and so have modules of their own. */
const settingLanguage = [
  'apps/console/src/{texts/generic,fleet/units/event-texts,people/users/users}.test.ts',
]

/** They judge pictures, sound and rates as they are sent, which needs half a core each. */
const realTime = [
  'tests/system/conformance-{agent,hub}.test.ts',
  'tests/system/{control-room,video-return}.test.ts',
  'apps/agent/src/{cameras,real-unit}.test.ts',
  'packages/bonding/src/librist.test.ts',
]

/**
 * Tests of running programs, which wait more than they work: two for each core of a small machine. A process runs one file
 * after the other, and what a file leaves running is found by the next that looks.
 */
const programTests = (name: string, include: readonly string[], exclude: readonly string[] = []) => ({
  test: {
    name,
    include: [...include],
    exclude: [...exclude],
    pool: 'forks' as const,
    isolate: false,
    maxWorkers: isSlow ? 3 : 4,
    testTimeout: 180_000 * patience,
    hookTimeout: 180_000 * patience,
    // A busy machine is no fault.
    expect: { poll: { timeout: 60_000 * patience } },
    sequence: { groupOrder: 2 },
    experimental,
  },
})

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      sharing('contract', ['packages/contract/src']),
      {
        test: {
          ...sharing('packages', ['packages/{runtime,ffmpeg,bonding,speech,device}/src']).test,
          exclude: realTime,
        },
      },
      sharing('core', ['apps/core/src']),
      // Vite transforms what is written in JSX.
      {
        test: {
          ...sharing('console', ['apps/console/{src,build}']).test,
          exclude: settingLanguage,
          experimental: {},
        },
      },
      { test: { ...unitTests('language', []).test, include: settingLanguage, experimental: {} } },
      unitTests('repository', ['scripts', 'bench']),
      { test: { ...unitTests('', []).test, name: 'architecture', include: ['tests/*.test.ts'] } },
      // All files of a process share one process with the cores of their stages, and one Chromium.
      {
        test: {
          ...programTests(
            'programs',
            ['apps/{hub,agent,simulator}/src/**/*.test.ts', 'tests/system/**/*.test.ts'],
            realTime,
          ).test,
          env: { TEST_SHARED_CORES: '1' },
        },
      },
      {
        test: {
          ...programTests('browser', ['tests/browser/**/*.test.ts']).test,
          env: { TEST_SHARED_CORES: '1', TEST_STAGES_IN_MEMORY: '1', TEST_SHORT_PAGES: '1' },
        },
      },
      {
        test: {
          ...programTests('real-time', realTime).test,
          isolate: true,
          maxWorkers: isSlow ? 1 : 2,
          sequence: { groupOrder: 0 },
        },
      },
    ],
  },
})
