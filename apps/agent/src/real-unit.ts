// What the unit's brain drives on a real machine: the encoder, the links, and what the machine reports about itself.
import { existsSync } from 'node:fs'
import type { Reason } from '@backhaul/contract/define/refusals'
import type { LinkTelemetry, UnitSample } from '@backhaul/contract/gateway/units'
import { mayCarry, type UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import type { Camera } from '@backhaul/contract/nouns/units'
import { Refused } from '@backhaul/device/refused'
import type { UnitFacts, UnitHardware, UnitHardwareChange } from '@backhaul/device/unit-hardware'
import type { Source } from '@backhaul/ffmpeg/sources'
import type { Clock } from '@backhaul/runtime/clock'
import { readBattery } from './hardware/battery.ts'
import type { Interface } from './hardware/interfaces.ts'
import type { PortAssignments } from './hardware/port-assignments.ts'
import type { PositionSource } from './hardware/position.ts'
import { filesBelow, readStorages } from './hardware/storages.ts'
import { followLinks, type UnitLink } from './links.ts'
import { type Sending, type SendingOptions, startSending } from './sending.ts'
import { firstSettings, limitsUnder, linkShares, qualityOf, termsOf } from './unit-quality.ts'

const storagePeriodMs = 30_000

export interface RealUnitOptions extends Omit<SendingOptions, 'encoder' | 'onLost' | 'onPicture'> {
  encoder: Omit<SendingOptions['encoder'], 'quality'>
  /** The unit's storage: files that are put there can be sent. */
  mediaFolder: string
  scanInterfaces: () => readonly Interface[]
  portAssignments: PortAssignments
  position: PositionSource
  capabilities: UnitFacts['capabilities']
  /** What the agent has logged recently. */
  logs: () => string
  /** Why this machine cannot encode at all. */
  encoderFault: Reason | undefined
  /** Ends the process so that its supervisor starts it again, or reboots the machine. */
  restart: () => void | Promise<void>
}

export interface RealUnit extends UnitHardware {
  close(): Promise<void>
}

export function createRealUnit(options: RealUnitOptions): RealUnit {
  const { clock, encoder } = options
  let listener: (change: UnitHardwareChange) => void = () => {}
  let sending: Sending | undefined
  let hasPicture = false
  let storages: UnitFacts['storages'] = []
  let settings: UnitSettings = firstSettings

  const factsChanged = () => listener({ kind: 'facts' })
  const links = followLinks({
    scan: options.scanInterfaces,
    assignments: options.portAssignments,
    clock,
    onChange() {
      useLinks()
      factsChanged()
    },
  })
  const usable = () => links.usable().filter((link) => mayCarry(settings, link))
  function useLinks(): void {
    sending?.useLinks(usable(), termsOf(settings, links.all()))
  }
  const stopStorages = everyPeriod(clock, storagePeriodMs, async () => {
    storages = await readStorages(options.mediaFolder)
    factsChanged()
  })

  async function endSending(): Promise<void> {
    const ending = sending
    sending = undefined
    hasPicture = false
    await ending?.stop()
  }

  return {
    facts: () => ({
      links: links.all().map(({ present: _present, ...link }) => link),
      storages,
      camera: camera(encoder, sending === undefined || hasPicture),
      capabilities: options.capabilities,
      settings: { ...settings, links: linkShares(settings, links.all()) },
    }),
    sample: () => sample(options, sending, links.all()),
    async startTransmission(wanted, delayMs, signal) {
      if (options.encoderFault && wanted.speedTestMs === undefined) throw new Refused(options.encoderFault)
      if (usable().length === 0) throw new Refused('unit.noLink')
      const started = startSending(
        {
          ...options,
          limits: limitsUnder(settings, options.limits),
          encoder: { ...encoder, quality: qualityOf(settings) },
          onLost(why) {
            sending = undefined
            listener({ kind: 'transmissionLost', why })
          },
          onPicture(isThere) {
            hasPicture = isThere
            factsChanged()
          },
        },
        wanted,
        delayMs,
        usable(),
        termsOf(settings, links.all()),
      )
      sending = started
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(new Refused('transmission.startCancelled')), {
          once: true,
        })
      })
      try {
        await Promise.race([started.begun, aborted])
      } catch (error) {
        await endSending()
        throw error
      }
    },
    async moveTransmission(wanted, delayMs, signal) {
      if (!sending) throw new Refused('transmission.notSending')
      await sending.moveTo(wanted, delayMs, signal)
    },
    stopTransmission: endSending,
    updateDelay: (delayMs) => sending?.updateDelay(delayMs),
    // The channel is where the transmission's targets lead; selecting one changes nothing on the machine.
    setChannel: () => {},
    setEnabledLinks: (disabled) => links.disable(disabled),
    applySettings(changes) {
      settings = { ...settings, ...changes }
      sending?.changeQuality(qualityOf(settings), limitsUnder(settings, options.limits))
      useLinks()
      factsChanged()
    },
    logs: options.logs,
    files: filesBelow(options.mediaFolder),
    async reboot() {
      await options.restart()
      await new Promise<never>(() => {})
    },
    onChange(next) {
      listener = next
    },
    async close() {
      stopStorages()
      links.stop()
      options.position.close()
      await endSending()
    },
  }
}

function everyPeriod(clock: Clock, periodMs: number, run: () => Promise<void>): () => void {
  void run()
  const timer = clock.setInterval(() => void run(), periodMs)
  return () => clock.clearInterval(timer)
}

const kindWords = { testPattern: 'testPattern', file: 'file', camera: 'v4l2', url: 'url' } as const

function camera({ source, picture, codec }: RealUnitOptions['encoder'], isGiving: boolean): Camera {
  return {
    connected: isGiving && isThere(source),
    kind: kindWords[source.kind],
    width: picture.width,
    height: picture.height,
    fps: picture.framesPerSecond,
    codec: codec === 'h264' ? 'H.264/AVC' : 'H.265/HEVC',
  }
}

function isThere(source: Source): boolean {
  if (source.kind === 'file') return existsSync(source.path)
  return source.kind === 'camera' ? existsSync(source.device) : true
}

function sample(
  { clock, position }: RealUnitOptions,
  sending: Sending | undefined,
  links: readonly UnitLink[],
): UnitSample {
  const stats = sending?.stats()
  const fix = position.current()
  return {
    ts: clock.nowMs(),
    links: links.map((link) =>
      linkTelemetry(
        link,
        stats?.links.find(({ id }) => id === link.id),
      ),
    ),
    encoderKbps: sending?.videoKbps() ?? null,
    capacityKbps: stats?.targetKbps ?? null,
    battery: readBattery(),
    location: fix && { ...fix, address: '' },
  }
}

type LinkStats = ReturnType<Sending['stats']>['links'][number]

/** While nothing is sent a link that is there counts as up, and nothing is known of its round trip. */
function linkTelemetry({ port, present, enabled }: UnitLink, stats: LinkStats | undefined): LinkTelemetry {
  const unknown = { downKbps: 0, kbps: 0, rttMs: null, lossPercent: 0, rtxPercent: 0, capacityKbps: null }
  if (!stats) return { port, up: present && enabled, ...unknown }
  return {
    port,
    up: stats.up,
    kbps: stats.kbps,
    downKbps: 0,
    rttMs: stats.rttMs,
    lossPercent: stats.lossPercent,
    rtxPercent: stats.retransmittedPercent,
    capacityKbps: stats.capacityKbps,
  }
}
