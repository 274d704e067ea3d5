// The units of a group, or all in the scope of the user, as their administrators keep them.
import type { AdministeredUnit } from '@backhaul/contract/nouns/device-administration'
import { gate } from '@backhaul/contract/nouns/gates'
import { productOf, shortProductName } from '@backhaul/contract/nouns/products'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { EditedItems } from '../../kit/EditedListScreen.tsx'
import { reasonText } from '../../texts/generic.ts'
import { textColumn } from '../../ui/grid/columns.ts'
import { statusColumn } from '../../ui/grid/status-column.tsx'
import { presenceLook } from '../../ui/StatusGlyph.tsx'
import { UpgradeDialog } from '../upgrades/UpgradeDialog.tsx'
import { askForUpgrade } from '../upgrades/upgrades.ts'
import { deregisterUnit, leaveGroup, removeUnit, units, useDevices } from './device-administration.ts'
import { byName, deviceColumns, searched } from './device-columns.ts'
import { LinkExtendersDialog } from './LinkExtendersDialog.tsx'
import { UnitRecordDialog } from './UnitRecordDialog.tsx'

interface UnitRecordsProps {
  group?: string | undefined
  actions?: ReactNode
}

interface Asked {
  unit: AdministeredUnit
  act: 'deregister' | 'leave'
}

export function UnitRecords({ group, actions }: UnitRecordsProps) {
  const { t } = useTranslation('deviceAdministration')
  const list = useDevices(units, { group })
  const { t: words } = useTranslation('upgrades')
  const [extended, extend] = useState<AdministeredUnit>()
  const [asked, ask] = useState<Asked>()
  /** Text of the control where it is closed (ER-TIP-06). */
  function extendersRefusal(unit: AdministeredUnit): string | undefined {
    if (productOf(unit.productType).group !== 'fieldUnits') return reasonText('linkExtender.notFieldUnit')
    const closed = gate('linkExtenders', { unit })
    return closed && reasonText(closed)
  }

  const columns = useMemo(
    () =>
      deviceColumns<AdministeredUnit>(t, [
        textColumn('product', t('column.product'), 140, ({ productType }) => shortProductName(productType)),
        statusColumn(
          'status',
          t('column.state'),
          130,
          (unit) => t(`state.${stateOf(unit)}`),
          (unit) => looks[stateOf(unit)],
        ),
      ]),
    [t],
  )
  return (
    <EditedItems
      list={list}
      gridId="unitRecords"
      exportName="units"
      words={t('unit.list', { returnObjects: true })}
      columns={columns}
      defaultCompare={byName}
      searched={searched}
      idOf={({ uid }) => uid}
      actions={actions}
      moreOf={(unit) => [
        { id: 'upgrade', label: words('menu'), run: () => askForUpgrade(unit, 'unit') },
        {
          id: 'extenders',
          label: t('extenders.action'),
          refusal: extendersRefusal(unit),
          run: () => extend(unit),
        },
        {
          id: 'deregister',
          label: t('unit.deregister'),
          refusal: unit.deregisteredAt === null ? undefined : reasonText('unit.deregistered'),
          danger: true,
          run: () => ask({ act: 'deregister', unit }),
        },
        ...(isLeavable(unit, group)
          ? [{ id: 'leave', label: t('unit.leave'), danger: true, run: () => ask({ act: 'leave', unit }) }]
          : []),
      ]}
      form={(unit, more) => <UnitRecordDialog key={unit?.uid} unit={unit} {...more} />}
      question={({ uid, name }) => ({
        title: t('removeTitle', { name }),
        text: t('unit.removeText'),
        run: () => removeUnit(uid),
        done: { title: t('unit.removed'), text: name },
      })}
    >
      {extended ? <LinkExtendersDialog unit={extended} onClose={() => extend(undefined)} /> : null}
      <UpgradeDialog />
      {asked ? (
        <ConfirmDialog
          title={t(`unit.${asked.act}Title`, { name: asked.unit.name })}
          text={t(`unit.${asked.act}Text`)}
          okLabel={t(`unit.${asked.act}`)}
          run={() => perform(asked, group ?? '')}
          done={{ title: t(`unit.${asked.act}Done`), text: asked.unit.name }}
          onClose={() => ask(undefined)}
        />
      ) : null}
    </EditedItems>
  )
}

/** An invited unit leaves the group that is shown; others are removed with the group itself. */
const isLeavable = ({ productType }: AdministeredUnit, group: string | undefined): boolean =>
  group !== undefined && productOf(productType).group === 'smartUnits'

const perform = ({ act, unit: { uid } }: Asked, group: string) =>
  act === 'deregister' ? deregisterUnit(uid) : leaveGroup(group, uid)

const looks = {
  online: presenceLook(true),
  offline: presenceLook(false),
  busy: { shape: 'disc', tone: 'live' },
  deregistered: { shape: 'questionRing', tone: 'offline' },
} as const

/** In the list of administrators a unit is there, at work, not there, or not to come back by itself. */
function stateOf({
  status,
  deregisteredAt,
}: AdministeredUnit): 'deregistered' | 'offline' | 'online' | 'busy' {
  if (deregisteredAt !== null) return 'deregistered'
  if (status === 'offline' || status === 'unavailable') return 'offline'
  return status === 'idle' || status === 'online' ? 'online' : 'busy'
}
