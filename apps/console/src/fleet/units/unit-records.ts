// What is read of a unit beside its live state, each answer kept as long as the specification says.
import { units } from '@backhaul/contract/api/units'
import { cacheAgesMs } from '@backhaul/contract/nouns/cache-ages'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../doors/api.ts'

function useRead<T>(id: string, what: string, ageMs: number, read: () => Promise<T>) {
  return useQuery({ queryKey: ['unit', id, what], queryFn: read, staleTime: ageMs, gcTime: ageMs })
}

/**
 * The records of a unit (PU-CACHE-01, -02). What it can do and its services are empty when they cannot be read, and
 * are asked for again when they are next looked at (ER-HTTP-06, -07).
 */
export function useUnitRecords(id: string): { fields: Readonly<Record<string, unknown>>; error: unknown } {
  const params = { id }
  const { unitCapabilities, unitServices, unitSettings, enhancedUnit } = cacheAgesMs
  const enhanced = useRead(id, 'enhanced', enhancedUnit, () => call(units.enhanced, { params }))
  const settings = useRead(id, 'settings', unitSettings, () => call(units.configuration, { params }))
  const abilities = useRead(id, 'capabilities', unitCapabilities, () => call(units.capabilities, { params }))
  const services = useRead(id, 'services', unitServices, () => call(units.services, { params }))
  return {
    fields: {
      ...enhanced.data,
      configurationV2: settings.data,
      capabilities: abilities.isError ? {} : abilities.data,
      services: services.isError ? [] : services.data,
    },
    error: enhanced.error ?? settings.error,
  }
}
