import { defineConfig } from 'vitest/config'

/** Real encoders, browsers and sockets share the machine with whatever else it does. */
const secondChance = { retry: 1 }

/** Tests next to their sources: quick, and safe to run several files at a time. */
const unitTests = (name: string, folders: readonly string[]) => ({
  test: {
    name,
    include: folders.map((folder) => `${folder}/**/*.test.{ts,tsx}`),
    pool: 'threads' as const,
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Tests are chosen by the names of calls, which are long.
    taskTitleValueFormatTruncate: 0,
    // A busy machine is no fault.
    expect: { poll: { timeout: 20_000 } },
    sequence: { groupOrder: 0 },
  },
})

/**
 * Files that share nothing but modules, of which none keeps anything between two tests: what they import, the whole of
 * core above all, is loaded once for all of them instead of once a file.
 */
const sharing = (name: string, folders: readonly string[]) => ({
  test: { ...unitTests(name, folders).test, isolate: false },
})

/** Tests of running processes; with one file at a time they do not take the machine from each other. */
const throughDoors = (name: string, groupOrder: number, filesAtOnce: number) => ({
  test: {
    name,
    include: [`tests/${name}/**/*.test.ts`],
    pool: 'forks' as const,
    maxWorkers: filesAtOnce,
    testTimeout: 120_000,
    ...secondChance,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    sequence: { groupOrder },
  },
})

export default defineConfig({
  test: {
    projects: [
      sharing('contract', ['packages/contract/src']),
      sharing('packages', ['packages/{runtime,ffmpeg,bonding,device}/src']),
      sharing('core', ['apps/core/src']),
      {
        test: {
          ...unitTests('devices', ['apps/{hub,agent,simulator}/src']).test,
          // They look at the programs that they started: each file has a process of its own.
          pool: 'forks' as const,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          ...secondChance,
        },
      },
      // Language and texts are kept by the module of a library, so each file has a world of its own.
      { test: { ...unitTests('console', ['apps/console/src']).test, pool: 'vmThreads' as const } },
      unitTests('repository', ['scripts', 'bench']),
      { test: { ...unitTests('', []).test, name: 'architecture', include: ['tests/*.test.ts'] } },
      throughDoors('system', 1, 1),
      // A browser waits more than it works.
      throughDoors('browser', 2, 2),
    ],
  },
})
