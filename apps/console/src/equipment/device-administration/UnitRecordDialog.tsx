import {
  type AdministeredUnit,
  NewUnit,
  UnitChange,
  unitProducts,
} from '@backhaul/contract/nouns/device-administration'
import { SLA } from '@backhaul/contract/nouns/gates'
import { shortProductName } from '@backhaul/contract/nouns/products'
import { cameraLevels } from '@backhaul/contract/nouns/unit-services'
import { NativeSelect, Select, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import type { ItemEnds } from '../../kit/EditedListScreen.tsx'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import { likelyInventory } from '../../people/inventory-names/inventory-names.ts'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { DeviceFields } from './DeviceFields.tsx'
import { type ChosenLevel, changeUnit, createUnit, levelOf } from './device-administration.ts'

interface UnitRecordDialogProps extends ItemEnds {
  /** null: a new one. */
  unit: AdministeredUnit | null
}

export function UnitRecordDialog({ unit, ...ends }: UnitRecordDialogProps) {
  const { t } = useTranslation('deviceAdministration')
  const isVendor = useMay('administerSystem')
  const wasUnderSla = unit?.services.includes(SLA) === true
  const record = useRecordForm<
    ReturnType<typeof draftOf> & { sla: boolean; level: ChosenLevel },
    UnitChange | NewUnit
  >({
    start: () => ({ ...draftOf(unit), sla: wasUnderSla, level: levelOf(unit) }),
    schema: unit ? UnitChange : NewUnit,
    requestOf: ({ ownership, sla, level: _, ...made }) => {
      if (!unit) return made
      const { name, comment, groups } = made
      return {
        name,
        comment,
        groups,
        ...(ownership !== unit.ownership && { ownership }),
        ...(sla !== wasUnderSla && { sla }),
      }
    },
    save: (request, { inventory, level }) =>
      unit ? changeUnit(unit, inventory, request, level) : createUnit(request as NewUnit),
  })
  const { values: draft, set, faults } = record
  const title = unit ? t('unit.editTitle', { name: unit.name }) : t('unit.addTitle')
  return (
    <RecordDialog
      title={title}
      size={680}
      record={record}
      done={() => ({ title: t('unit.saved'), text: draft.name })}
      {...ends}
    >
      <div className="form-fields">
        {unit ? null : (
          <Select
            label={t('column.product')}
            data={unitProducts.map((name) => ({ value: name, label: shortProductName(name) }))}
            value={draft.productType || null}
            required
            error={faults.productType}
            allowDeselect={false}
            searchable
            onChange={(productType) => set({ productType: productType ?? '' })}
          />
        )}
        <DeviceFields record={record} isNew={unit === null} mayMove />
        {unit && isVendor ? (
          <NativeSelect
            label={t('cameraLevel')}
            data={[
              { value: '', label: t('cameraLevels.all') },
              ...cameraLevels.map((level) => ({ value: level, label: t(`cameraLevels.${level}`) })),
            ]}
            value={draft.level}
            onChange={({ currentTarget }) =>
              set({ level: cameraLevels.find((one) => one === currentTarget.value) ?? '' })
            }
          />
        ) : null}
        {unit && isVendor ? (
          <Switch
            label={t('sla')}
            description={t('slaHint')}
            checked={draft.sla}
            onChange={(event) => set({ sla: event.currentTarget.checked })}
          />
        ) : null}
      </div>
    </RecordDialog>
  )
}

function draftOf(unit: AdministeredUnit | null) {
  const { name, comment, serialNumber, productType, inventory, groups, ownership } = unit ?? {
    name: '',
    comment: '',
    serialNumber: '',
    groups: [],
    ownership: null,
    productType: '',
    inventory: likelyInventory(),
  }
  const known = groups.map(({ uid }) => uid)
  return { name, comment, serialNumber, productType, inventory, ownership, groups: known }
}
