/** For tests: unit hardware that does what a test tells it to, and writes down what it was asked for. */
import type { Link } from '@backhaul/contract/gateway/units'
import type { UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import type { UnitHardware, UnitHardwareChange } from '../unit-hardware.ts'

export interface PretendedUnit extends UnitHardware {
  asked: string[]
  /** What the next start does; `hang` waits until it is no longer wanted. */
  startWill: 'succeed' | 'fail' | 'hang'
  links: Link[]
  settings: UnitSettings | undefined
  tell(change: UnitHardwareChange): void
}

export function createPretendedUnit(nowMs: () => number): PretendedUnit {
  let listener: (change: UnitHardwareChange) => void = () => {}
  const unit: PretendedUnit = {
    asked: [],
    startWill: 'succeed',
    links: [
      { port: 0, id: 'eth0', kind: 'ethernet', enabled: true },
      { port: 1, id: 'Modem 1', kind: 'modem', enabled: true, carrier: 'Bell' },
    ],
    tell: (change) => listener(change),
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
      unit.asked.push(`start ${wanted.id} ${delayMs}`)
      if (unit.startWill === 'fail') throw new Error('no answer from the receiver')
      if (unit.startWill === 'succeed') return
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
    },
    async moveTransmission(wanted, delayMs, signal) {
      unit.asked.push(`move ${wanted.id} ${delayMs}`)
      if (unit.startWill === 'fail') throw new Error('no answer from the receiver')
      if (unit.startWill === 'succeed') return
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
    },
    stopTransmission: () => void unit.asked.push('stop'),
    updateDelay: (delayMs) => void unit.asked.push(`delay ${delayMs}`),
    setChannel: (channelId) => void unit.asked.push(`channel ${channelId}`),
    setEnabledLinks(disabled) {
      unit.asked.push(`disable ${disabled.join()}`)
      unit.links = unit.links.map((link) => ({ ...link, enabled: !disabled.includes(link.port) }))
    },
    applySettings(changes) {
      unit.asked.push(`set ${JSON.stringify(changes)}`)
      unit.settings = { ...unit.settings, ...changes }
    },
    async reboot() {
      unit.asked.push('reboot')
    },
    onChange(next) {
      listener = next
    },
  }
  return unit
}
