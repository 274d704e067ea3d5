import type { unitSettings as endpoints } from '@backhaul/contract/api/unit-settings'
import type { unitCommands } from '@backhaul/contract/api/units'
import type { AnyEndpoint } from '@backhaul/contract/define/endpoint'
import { Conflict } from '@backhaul/contract/define/errors'
import { gate } from '@backhaul/contract/nouns/gates'
import type { UnitSettings } from '@backhaul/contract/nouns/unit-settings'
import type { Call, Handlers } from '../../doors/api/bind.ts'
import type { Units } from '../../fleet/units/units.ts'
import type { Transmissions } from '../transmissions/transmissions.ts'
import type { UnitSettingsOfUnits } from './unit-settings.ts'

interface Needs {
  units: Units
  unitSettings: UnitSettingsOfUnits
}

type SettingCall = Pick<Call<AnyEndpoint>, 'caller' | 'note'> & { params: { id: string } }

export function unitSettingRoutes({ units, unitSettings }: Needs): Handlers<typeof endpoints> {
  async function set({ caller, params, note }: SettingCall, changes: UnitSettings) {
    const commandId = await unitSettings.configure(caller, params.id, changes)
    note({ objectId: params.id, details: { ...changes } })
    return { accepted: true as const, commandId }
  }
  /** The handler of a call whose body is converted to these settings. */
  const setting =
    <B>(changesOf: (body: B) => UnitSettings) =>
    (request: SettingCall & { body: B }) =>
      set(request, changesOf(request.body))

  const limit =
    (name: 'cellularLimitKbps' | 'totalLimitKbps') =>
    ({ caller, params }: SettingCall) => ({ limit: unitSettings.of(caller.scope, params.id)[name] ?? 0 })
  const setQuality = (storeAndForwardQuality: UnitSettings['storeAndForwardQuality']) => ({
    storeAndForwardQuality,
  })
  const setMetadata = setting(({ metadata }: { metadata: Record<string, string> }) => ({ metadata }))
  const setCellular = setting(({ limit }: { limit: number }) => ({ cellularLimitKbps: limit }))
  const setTotal = setting(({ limit }: { limit: number }) => ({ totalLimitKbps: limit }))

  /** The two variants of the audio command are for units from 5.0 on, and for those below. */
  function audio(isOld: boolean) {
    return async (request: SettingCall & { body: UnitSettings }) => {
      const { caller, params } = request
      const unit = units.get(caller.scope, params.id)
      const isBelow = gate('audioParameters', { unit }) !== undefined
      if (isBelow !== isOld) throw new Conflict('feature.disabled')
      return await set(request, request.body)
    }
  }

  return {
    configure: setting((body) => body),
    setMetadata,
    setMetadataByCommand: setMetadata,
    setDefaultMetadata: setting(({ metadata }) => ({ defaultMetadata: metadata })),
    setFilenamePrefix: setting((body) => body),
    setIpInput: setting((ipInput) => ({ ipInput })),
    setNtpTimecode: setting(({ enabled }) => ({ ntp: enabled })),
    setTransmissionMode: setting(({ transmissionMode: mode }) =>
      mode === 'live' || mode === 'storeAndForward' ? { sendMode: mode } : { linkMode: mode },
    ),
    setOperationalMode: setting((body) => body),
    setLiveuIq: setting(({ enabled }) => ({ liveuIq: enabled })),
    setAncillaryData: setting(({ enabled }) => ({ ancillaryData: enabled })),
    setSafQuality: setting((body) => setQuality(body.storeandforward_quality)),
    setSafQualityByCommand: setting(({ quality }) => setQuality(quality)),
    setSafEncoder: setting(({ encoder }) => ({ storeAndForwardEncoder: encoder })),
    setCapping: setting(({ cellular, ...totalCapping }) => ({
      totalCapping,
      ...(cellular && { cellularCapping: cellular }),
    })),
    cellularLimit: limit('cellularLimitKbps'),
    setCellularLimit: setCellular,
    totalLimit: limit('totalLimitKbps'),
    setTotalLimit: setTotal,
    cellularLimitAsAdmin: limit('cellularLimitKbps'),
    setCellularLimitAsAdmin: setCellular,
    totalLimitAsAdmin: limit('totalLimitKbps'),
    setTotalLimitAsAdmin: setTotal,
    setAudioBitrate: setting((body) => body),
    setAudioParameters: audio(false),
    setAudioParametersOld: audio(true),
    setShootingMode: setting((body) => body),
    setVideoComplexity: setting((body) => body),
    filenamePrefix: ({ caller, params }) => ({
      filenamePrefix: unitSettings.of(caller.scope, params.id).filenamePrefix ?? '',
    }),
  }
}

/** The links that are used, their limits, and their order. */
export function linkRoutes(
  transmissions: Transmissions,
  unitSettings: UnitSettingsOfUnits,
): Handlers<Pick<typeof unitCommands, 'setLinks'>> {
  return {
    async setLinks({ caller, params, body, note }) {
      const shares = body.flatMap(({ interface: port, priority, limit }) => {
        const share = {
          ...(priority !== undefined && { priority }),
          ...(limit !== undefined && { limitKbps: limit }),
        }
        return Object.keys(share).length > 0 ? [[port, share]] : []
      })
      if (shares.length > 0)
        await unitSettings.configure(caller, params.id, { links: Object.fromEntries(shares) })
      const commandId = await transmissions.setLinks(caller, params.id, body)
      note({ details: { links: body } })
      return { accepted: true, commandId }
    },
  }
}
