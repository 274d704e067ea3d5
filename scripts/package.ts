// `npm run package -- <agent|hub> <version> --key <private key> [--out <folder>]`: builds the program and packs it, signed,
// into <program>-<version>.bhp, which core gives to devices that are upgraded. The same commit gives the same bytes.
import { execFileSync } from 'node:child_process'
import { createPrivateKey } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { PackageManifest } from '@backhaul/runtime/software-package'
import { buildChanged, builtFolder } from './parts.ts'
import { repository, tools } from './places.ts'
import { packProgram, sha256Of } from './program-package.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { key: { type: 'string' }, out: { type: 'string' } },
})
const About = PackageManifest.pick({ program: true, version: true })
const given = About.safeParse({ program: positionals[0], version: positionals[1] })
if (!given.success || values.key === undefined) {
  console.error('npm run package -- <agent|hub> <version> --key <private key> [--out <folder>]')
  for (const { path, message } of given.error?.issues ?? []) console.error(`  ${path.join('.')}: ${message}`)
  process.exit(1)
}
const { program, version } = given.data
const privateKey = createPrivateKey(readFileSync(values.key))
await buildChanged([program])
const place = mkdtempSync(join(tools(repository), 'package-'))
try {
  const folder = join(place, program)
  cpSync(builtFolder(repository, program), folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  const out = resolve(values.out ?? join(repository, 'dist'))
  mkdirSync(out, { recursive: true })
  const target = join(out, `${program}-${version}.bhp`)
  const node = Number.parseInt(readFileSync(join(repository, '.node-version'), 'utf8'), 10)
  const time = execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: repository, encoding: 'utf8' })
  await packProgram({ folder, about: { program, version, node }, privateKey, target, seconds: Number(time) })
  console.log(`${await sha256Of(target)}  ${target}`)
} finally {
  rmSync(place, { recursive: true, force: true })
}
