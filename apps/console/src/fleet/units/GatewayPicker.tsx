import { databridge } from '@backhaul/contract/api/databridge'
import { cacheAgesMs } from '@backhaul/contract/nouns/cache-ages'
import { gatewayFault } from '@backhaul/contract/nouns/databridge'
import { gate } from '@backhaul/contract/nouns/gates'
import { NativeSelect } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call, describeFault } from '../../doors/api.ts'
import { reasonText } from '../../texts/generic.ts'
import { closedBy } from '../../ui/closed.ts'
import { toast } from '../../ui/toasts.tsx'
import type { LiveUnit } from './units-live.ts'

/** Where the unit's databridge leaves the bonded network; for administrators, and only where there is a gateway. */
export function GatewayPicker({ unit }: { unit: LiveUnit }) {
  const { t } = useTranslation('units')
  const cache = useQueryClient()
  const params = { id: unit.uid }
  const read = <T,>(what: string, ask: () => Promise<T>) => ({
    queryKey: ['unit', unit.uid, 'gateway', what],
    queryFn: ask,
    staleTime: cacheAgesMs.enhancedUnit,
  })
  const options = useQuery(read('options', () => call(databridge.options, { params }))).data
  const selected = useQuery(read('selected', () => call(databridge.selected, { params }))).data
  if (!options?.length || !selected) return null

  const select = async (gateway: string | null) => {
    try {
      await call(databridge.select, { params, body: { gateway } })
      toast({ title: t('gateway.saved'), text: unit.name, tone: 'good' })
    } catch (error) {
      const { title, text = '' } = describeFault(error)
      toast({ title, text, tone: 'critical' })
    }
    await cache.invalidateQueries({ queryKey: ['unit', unit.uid] })
  }
  const refusal = gate('databridge', { unit }) ?? gatewayFault(unit.applications)
  const fault = refusal && reasonText(refusal)
  return (
    <NativeSelect
      label={t('gateway.label')}
      description={fault}
      inputWrapperOrder={['label', 'input', 'description']}
      {...closedBy(fault)}
      value={selected.gateway?.id ?? ''}
      onChange={({ currentTarget }) => void select(currentTarget.value || null)}
      data={[
        { value: '', label: t('gateway.none') },
        ...options.map(({ id, name, address }) => ({
          value: id,
          label: address ? `${name} · ${address}` : name,
        })),
      ]}
    />
  )
}
