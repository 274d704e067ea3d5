// The service files that are shipped: systemd understands every line of them.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const deploy = join(import.meta.dirname, '..', 'deploy')
const hasSystemd = !spawnSync('systemd-analyze', ['--version']).error

test.runIf(hasSystemd).each(['backhaul.service', 'backhaul-agent.service', 'backhaul-hub.service'])(
  '%s is understood by systemd, and wrong settings end the service permanently',
  (name) => {
    const text = readFileSync(join(deploy, name), 'utf8')
    expect(text).toContain('RestartPreventExitStatus=78')
    const folder = mkdtempSync(join(tmpdir(), 'backhaul-service-'))
    // Node and the account are those of the machine that it is installed on.
    const here = text.replace('/usr/bin/node', process.execPath).replace('User=backhaul', 'User=root')
    writeFileSync(join(folder, name), here)
    const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', join(folder, name)], {
      encoding: 'utf8',
    })
    rmSync(folder, { recursive: true })
    const about = `${stdout}${stderr}`.split('\n').filter((line) => line.includes(name))
    expect(about).toEqual([])
  },
)
