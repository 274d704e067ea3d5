// The files for systemd and polkit that are shipped: systemd understands every line, polkit the rule.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
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

test('the rule of polkit lets the account change what it shall, in the words that every polkit reads', () => {
  const text = readFileSync(join(deploy, '50-backhaul.rules'), 'utf8').replace(/\/\/.*$/gm, '')
  // Duktape, the reader of Debian 12, stops at the first word that is newer than ECMAScript 5.
  expect(text).not.toMatch(/=>|\b(const|let|class|async)\b|`|,\s*\)/)
  type Rule = (action: { id: string }, subject: { user: string }) => string
  const rules: Rule[] = []
  const polkit = {
    Result: { YES: 'yes', NOT_HANDLED: 'not handled' },
    addRule: (rule: Rule) => rules.push(rule),
  }
  runInContext(text, createContext({ polkit }))
  const answer = (id: string, user: string) =>
    rules.map((rule) => rule({ id: `org.freedesktop.${id}` }, { user }))
  for (const id of [
    'login1.reboot',
    'login1.power-off-multiple-sessions',
    'timedate1.set-timezone',
    'NetworkManager.network-control',
    'NetworkManager.settings.modify.system',
    'ModemManager1.Device.Control',
  ]) {
    expect(answer(id, 'backhaul')).toEqual(['yes'])
    expect(answer(id, 'other')).toEqual(['not handled'])
  }
  for (const id of ['timedate1.set-time', 'NetworkManager.enable-disable-network', 'systemd1.manage-units'])
    expect(answer(id, 'backhaul')).toEqual(['not handled'])
})
