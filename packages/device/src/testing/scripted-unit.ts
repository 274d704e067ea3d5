/** For tests: unit hardware that behaves as the test sets it up, and records its calls. */
import type { Link } from '@backhaul/contract/gateway/units'
import type { UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import type { UnitHardware, UnitHardwareChange } from '../unit-hardware.ts'

export interface ScriptedUnit extends UnitHardware {
  calls: string[]
  /** The result of the next start; `hang` waits until the start is no longer wanted. */
  startWill: 'succeed' | 'fail' | 'hang'
  links: Link[]
  onTally: (onAir: boolean) => void
  settings: UnitSettings | undefined
  emit(change: UnitHardwareChange): void
}

export function createScriptedUnit(nowMs: () => number): ScriptedUnit {
  let listener: (change: UnitHardwareChange) => void = () => {}
  const unit: ScriptedUnit = {
    calls: [],
    onTally() {},
    startWill: 'succeed',
    links: [
      { port: 0, id: 'eth0', kind: 'ethernet', enabled: true },
      { port: 1, id: 'Modem 1', kind: 'modem', enabled: true, carrier: 'Bell' },
    ],
    emit: (change) => listener(change),
    settings: undefined,
    facts: () => ({
      links: unit.links,
      storages: [],
      camera: null,
      capabilities: { hevc: true },
      ...(unit.settings && { settings: unit.settings }),
    }),
    sample: () => ({
      ts: nowMs(),
      encoderKbps: null,
      capacityKbps: null,
      links: [
        {
          port: 0,
          up: true,
          kbps: 1,
          downKbps: 0,
          rttMs: 9,
          lossPercent: 0,
          rtxPercent: 0,
          capacityKbps: null,
        },
      ],
    }),
    async startTransmission(wanted, delayMs, signal) {
      unit.calls.push(`start ${wanted.id} ${delayMs}`)
      if (unit.startWill === 'fail') throw new Error('no answer from the receiver')
      if (unit.startWill === 'succeed') return
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
    },
    async moveTransmission(wanted, delayMs, signal) {
      unit.calls.push(`move ${wanted.id} ${delayMs}`)
      if (unit.startWill === 'fail') throw new Error('no answer from the receiver')
      if (unit.startWill === 'succeed') return
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
    },
    limitTransmission: ({ id, limitKbps }) => void unit.calls.push(`limit ${id} ${limitKbps ?? 'none'}`),
    stopTransmission: () => void unit.calls.push('stop'),
    updateDelay: (delayMs) => void unit.calls.push(`delay ${delayMs}`),
    setChannel: (channelId) => void unit.calls.push(`channel ${channelId}`),
    setEnabledLinks(disabled) {
      unit.calls.push(`disable ${disabled.join()}`)
      unit.links = unit.links.map((link) => ({ ...link, enabled: !disabled.includes(link.port) }))
    },
    applySettings(changes) {
      unit.calls.push(`set ${JSON.stringify(changes)}`)
      unit.settings = { ...unit.settings, ...changes }
    },
    showTally: (onAir) => unit.onTally(onAir),
    async reboot() {
      unit.calls.push('reboot')
    },
    onChange(next) {
      listener = next
    },
  }
  return unit
}
