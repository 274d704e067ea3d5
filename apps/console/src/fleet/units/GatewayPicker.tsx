import { databridge } from '@backhaul/contract/api/databridge'
import { cacheAgesMs } from '@backhaul/contract/nouns/cache-ages'
import { gatewayFault } from '@backhaul/contract/nouns/databridge'
import { gate } from '@backhaul/contract/nouns/gates'
import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { call, describeFault } from '../../doors/api.ts'
import { reread, useRead } from '../../doors/reads.ts'
import { reasonText } from '../../texts/generic.ts'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import { toast } from '../../ui/toasts.tsx'
import { rereadUnit } from './unit-records.ts'
import type { LiveUnit } from './units-live.ts'

/** Gateway where the unit's databridge leaves the bonded network; for administrators, and only where there is a gateway. */
export function GatewayPicker({ unit }: { unit: LiveUnit }) {
  const { t } = useTranslation('units')
  const params = { id: unit.uid }
  const kept = { keepMs: cacheAgesMs.enhancedUnit }
  const { data: options } = useRead(databridge.options, { params }, kept)
  const { data: selected } = useRead(databridge.selected, { params }, kept)
  if (!options?.length || !selected) return null

  const select = async (gateway: string | null) => {
    try {
      await call(databridge.select, { params, body: { gateway } })
      toast({ title: t('gateway.saved'), text: unit.name, tone: 'good' })
    } catch (error) {
      const { title, text = '' } = describeFault(error)
      toast({ title, text, tone: 'critical' })
    }
    await Promise.all([reread(databridge.selected, { params }), rereadUnit(unit.uid)])
  }
  const refusal = gate('databridge', { unit }) ?? gatewayFault(unit.applications)
  const fault = refusal && reasonText(refusal)
  return (
    <NativeSelect
      label={t('gateway.label')}
      description={fault}
      inputWrapperOrder={['label', 'input', 'description']}
      {...disabledBecause(fault)}
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
