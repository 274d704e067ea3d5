// /psg, /contractor and /support/remote_actions: a device is picked by serial number or name, then acted on from afar.

import { shortProductName } from '@backhaul/contract/nouns/products'
import type { RemoteAction, RemoteDevice } from '@backhaul/contract/nouns/remote-actions'
import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { ListScreen } from '../../kit/ListScreen.tsx'
import { useFoundList } from '../../kit/lists.ts'
import { givenReason } from '../../texts/generic.ts'
import { textColumn, timeColumn } from '../../ui/grid/columns.ts'
import type { GridMenuItem } from '../../ui/grid/GridMenu.tsx'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { statusColumn } from '../../ui/grid/status-column.tsx'
import { compareTexts } from '../../ui/locale.ts'
import { presenceLook } from '../../ui/StatusGlyph.tsx'
import { useListDialog } from '../../ui/use-list-dialog.ts'
import { actOn, devices, shownAtMost } from './remote-actions.ts'

/** Devices come and go by themselves. */
const refreshMs = 10_000

export function RemoteActionsPage() {
  const { t } = useTranslation('remoteActions')
  const [text, setText] = useState('')
  const list = useFoundList(devices, text, [], { everyMs: refreshMs })
  const { total = 0, search } = list.answer ?? {}
  const { over, open, close } = useListDialog<RemoteDevice, RemoteAction>(list.store)
  const columns = useMemo(() => columnsOf(t), [t])

  const menuOf = (id: string): GridMenuItem[] =>
    (list.store.get(id)?.actions ?? []).map(({ name, refusal, cause }) => ({
      id: name,
      label: t(`action.${name}.label`),
      refusal: givenReason({ reason: refusal, cause }) || undefined,
      danger: true,
      run: () => open(name, id),
    }))
  return (
    <ListScreen
      {...list}
      gridId="remoteActions"
      search={{ label: t('search'), text, onText: setText }}
      actions={
        total > shownAtMost ? <span className="quiet">{t('more', { count: shownAtMost, total })}</span> : null
      }
      label={t('title')}
      columns={columns}
      defaultCompare={byName}
      asked={search}
      onOpen={(id) => {
        const [first] = menuOf(id)
        if (first && first.refusal === undefined) first.run()
      }}
      rowMenu={menuOf}
      empty={t(text.trim() === '' ? 'empty' : 'noMatch', { returnObjects: true })}
      noMatch={t('noMatch', { returnObjects: true })}
      exportName="remote-actions"
    >
      {over !== null && over.kind !== 'edit' ? (
        <ConfirmDialog
          title={t(`action.${over.kind}.title`, { name: over.item.name })}
          text={t(`action.${over.kind}.text`, { customer: over.item.inventoryName })}
          okLabel={t(`action.${over.kind}.ok`)}
          second={
            over.kind === 'reboot' && over.item.busy
              ? { text: t('busy', { name: over.item.name }), okLabel: t('anyway') }
              : undefined
          }
          run={() => actOn(over.item, over.kind)}
          done={{ title: t(`action.${over.kind}.done`), text: over.item.name }}
          onClose={close}
        />
      ) : null}
    </ListScreen>
  )
}

const byName = (a: RemoteDevice, b: RemoteDevice): number =>
  compareTexts(a.name, b.name) || compareTexts(a.device, b.device)

function columnsOf(t: TFunction<'remoteActions'>): readonly GridColumn<RemoteDevice>[] {
  const refusals = ({ actions }: RemoteDevice) =>
    actions
      .map(({ name, refusal, cause }) => {
        const state = givenReason({ reason: refusal, cause }) || t('possible')
        return `${t(`action.${name}.label`)}: ${state}`
      })
      .join(' · ')
  return [
    textColumn('name', t('column.name'), 200, ({ name }) => name, { required: true }),
    textColumn('serialNumber', t('column.serialNumber'), 170, ({ serialNumber }) => serialNumber),
    textColumn('inventory', t('column.inventory'), 220, ({ inventoryName }) => inventoryName),
    textColumn('type', t('column.type'), 130, ({ type }) => shortProductName(type)),
    statusColumn(
      'state',
      t('column.state'),
      110,
      ({ offline }) => t(offline ? 'offline' : 'online'),
      ({ offline }) => presenceLook(!offline),
    ),
    textColumn('swVersion', t('column.swVersion'), 100, ({ swVersion }) => swVersion),
    timeColumn('accessUntil', t('column.accessUntil'), 190, ({ accessUntil }) => accessUntil),
    textColumn('actions', t('column.actions'), 330, refusals),
  ]
}
