// `npm run release`: packs core, hub, agent, simulator and console as built, the sources of the first four, and the npm
// packages that they need to run, into dist/backhaul-<version>-<platform>.tar.gz. The same commit gives the same bytes.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packFolder } from './archive.ts'
import { buildChanged, builtFolder, parts } from './parts.ts'
import { productVersion, repository, tools } from './places.ts'
import { installServices } from './setup.mjs'

/** The files of the repository in the release; the console is included built. */
const shipped = [
  /^(package(-lock)?\.json|\.npmrc|\.node-version|LICENSE|[A-Z_]+\.md)$/,
  /^(deploy|docs)\//,
  /^apps\/console\/package\.json$/,
  /^(apps\/(core|hub|agent|simulator)|packages\/[a-z]+)\/(package\.json|README\.md|src\/)/,
  /^packages\/contract\/published\//,
]
const starting = [
  'admin-password.ts',
  'agent.mjs',
  'hub.mjs',
  'launch.ts',
  'log-file.ts',
  'parts.ts',
  'places.ts',
  'program.ts',
  'screen.ts',
  'setup.mjs',
  'start.mjs',
  'supervise.ts',
  'with-node.mjs',
].map((name) => `scripts/${name}`)
const forTests = /\.test\.tsx?$|[/-]testing(\/|\.ts$)/

const isShipped = (path: string): boolean =>
  starting.includes(path) || (shipped.some((pattern) => pattern.test(path)) && !forTests.test(path))

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: repository, encoding: 'utf8', maxBuffer: 64 << 20 })

interface Manifest {
  scripts?: Record<string, string>
  devDependencies?: unknown
}

/** Without the dependencies for building and testing, so that npm does not install them. */
function forgetTools(folder: string): void {
  const change = <T>(path: string, make: (content: T) => T): void => {
    const content = JSON.parse(readFileSync(join(folder, path), 'utf8')) as T
    writeFileSync(join(folder, path), `${JSON.stringify(make(content), null, 2)}\n`)
  }
  const withoutTools = <T extends Manifest>({ devDependencies: _, ...rest }: T) => rest
  change<Manifest>('package.json', (manifest) => ({
    ...withoutTools(manifest),
    scripts: {
      start: manifest.scripts?.start ?? '',
      agent: manifest.scripts?.agent ?? '',
      hub: manifest.scripts?.hub ?? '',
    },
  }))
  change<{ packages: Record<string, Manifest> }>('package-lock.json', ({ packages, ...lock }) => ({
    ...lock,
    packages: { ...packages, '': withoutTools(packages[''] ?? {}) },
  }))
}

await buildChanged()
const version = productVersion()
const name = `backhaul-${version}-${process.platform}-${process.arch}`
const place = mkdtempSync(join(tools(repository), 'release-'))
try {
  const folder = join(place, name)
  for (const path of git('ls-files', '-z').split('\0').filter(isShipped)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(repository, path), join(folder, path))
  }
  for (const part of parts)
    cpSync(builtFolder(repository, part), builtFolder(folder, part), { recursive: true })
  forgetTools(folder)
  await installServices(folder)
  const commit = git('rev-parse', 'HEAD').trim()
  writeFileSync(join(folder, 'release.json'), `${JSON.stringify({ version, commit }, null, 2)}\n`)
  const archive = join(process.argv[2] ?? join(repository, 'dist'), `${name}.tar.gz`)
  mkdirSync(dirname(archive), { recursive: true })
  await packFolder(folder, archive, Number(git('log', '-1', '--format=%ct')))
  const digest = createHash('sha256').update(readFileSync(archive)).digest('hex')
  console.log(`${digest}  ${archive}`)
} finally {
  rmSync(place, { recursive: true, force: true })
}
