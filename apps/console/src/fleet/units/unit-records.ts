// Records of a unit in addition to its live state, each answer kept as long as the specification requires.
import { databridge } from '@backhaul/contract/api/databridge'
import { units } from '@backhaul/contract/api/units'
import { cacheAgesMs } from '@backhaul/contract/nouns/cache-ages'
import { reread, rereadWhere, useRead } from '../../doors/reads.ts'

/**
 * The records of a unit (PU-CACHE-01, -02). What it can do and its services are empty when they cannot be read, and
 * are requested again when they are next viewed (ER-HTTP-06, -07).
 */
export function useUnitRecords(id: string): {
  fields: Readonly<Record<string, unknown>>
  errorText: string | undefined
} {
  const of = { params: { id } }
  const { unitCapabilities, unitServices, unitSettings, enhancedUnit } = cacheAgesMs
  const enhanced = useRead(units.enhanced, of, { keepMs: enhancedUnit })
  const settings = useRead(units.configuration, of, { keepMs: unitSettings })
  const abilities = useRead(units.capabilities, of, { keepMs: unitCapabilities })
  const services = useRead(units.services, of, { keepMs: unitServices })
  return {
    fields: {
      ...enhanced.data,
      configurationV2: settings.data,
      capabilities: abilities.error ? {} : abilities.data,
      services: services.error ? [] : services.data,
    },
    errorText: enhanced.errorText ?? settings.errorText,
  }
}

/** Reads the records again after a change that shows in them. */
export const rereadUnit = (id: string): Promise<void> => reread(units.enhanced, { params: { id } })

/** Core has named units whose records changed: those on the screen are read now, the others when they are next shown. */
export async function rereadRecords(ids: ReadonlySet<string>): Promise<void> {
  const isNamed = ({ params: { id } }: { params: { id: string } }) => ids.has(id)
  await Promise.all([
    rereadWhere(units.enhanced, isNamed),
    rereadWhere(units.configuration, isNamed),
    rereadWhere(units.capabilities, isNamed),
    rereadWhere(units.services, isNamed),
    rereadWhere(databridge.selected, isNamed),
  ])
}
