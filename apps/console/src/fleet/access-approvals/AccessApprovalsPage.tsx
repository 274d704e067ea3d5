// /psg/access_approvals: which devices customers have opened to the vendor, until when, and who came.
import { type AccessApproval, ALL_DEVICES, isAccessOpen } from '@backhaul/contract/nouns/access-approvals'
import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { ListScreen } from '../../kit/ListScreen.tsx'
import { useList } from '../../kit/lists.ts'
import { textColumn, timeColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { statusColumn } from '../../ui/grid/status-column.tsx'
import { compareTexts } from '../../ui/locale.ts'
import { textFilter } from '../../ui/text-filter.ts'
import { useListDialog } from '../../ui/use-list-dialog.ts'
import { approvals, revokeListed, useAccessNews } from './access-approvals.ts'

export function AccessApprovalsPage() {
  const { t } = useTranslation('accessApprovals')
  const list = useList(approvals, [])
  useAccessNews([ALL_DEVICES], approvals.refresh)
  const { over, open, close } = useListDialog(list.store)
  const [text, setText] = useState('')
  const columns = useMemo(() => columnsOf(t), [t])
  const matches = useMemo(() => textFilter(text, searched), [text])
  const revoke = (id: string) => {
    const approval = list.store.get(id)
    if (approval && isAccessOpen(approval, Date.now())) open('delete', id)
  }
  return (
    <ListScreen
      {...list}
      gridId="accessApprovals"
      search={{ label: t('search'), text, onText: setText }}
      label={t('title')}
      columns={columns}
      defaultCompare={byNewest}
      filter={matches}
      onOpen={revoke}
      rowMenu={(id) => [
        {
          id: 'revoke',
          label: t('revoke'),
          run: () => revoke(id),
          danger: true,
          refusal: isOver(list.store.get(id)) ? t('isOver') : undefined,
        },
      ]}
      empty={t('empty', { returnObjects: true })}
      noMatch={t('noMatch', { returnObjects: true })}
      exportName="access-approvals"
    >
      {over ? (
        <ConfirmDialog
          title={t('revokeTitle', { name: over.item?.deviceName })}
          text={t('revokeText')}
          okLabel={t('revoke')}
          run={() => revokeListed(over.item?.id ?? '')}
          done={{ title: t('revoked'), text: over.item?.deviceName ?? '' }}
          onClose={close}
        />
      ) : null}
    </ListScreen>
  )
}

const isOver = (approval: AccessApproval | undefined): boolean =>
  approval !== undefined && !isAccessOpen(approval, Date.now())

const looks = {
  active: { shape: 'ring', tone: 'ready' },
  used: { shape: 'disc', tone: 'ready' },
  expired: { shape: 'slashedRing', tone: 'offline' },
} as const

const byNewest = (a: AccessApproval, b: AccessApproval): number => compareTexts(b.start, a.start)

const searched = ({ deviceName, inventoryName, grantedBy, usedBy }: AccessApproval) => [
  deviceName,
  inventoryName,
  grantedBy,
  usedBy,
]

function columnsOf(t: TFunction<'accessApprovals'>): readonly GridColumn<AccessApproval>[] {
  return [
    textColumn('device', t('column.device'), 200, ({ deviceName }) => deviceName, { required: true }),
    textColumn('inventory', t('column.inventory'), 220, ({ inventoryName }) => inventoryName),
    textColumn('grantedBy', t('column.grantedBy'), 150, ({ grantedBy }) => grantedBy),
    statusColumn(
      'state',
      t('column.state'),
      110,
      ({ state }) => t(`state.${state}`),
      ({ state }) => looks[state],
    ),
    timeColumn('start', t('column.start'), 190, ({ start }) => start),
    timeColumn('end', t('column.end'), 190, ({ end }) => end),
    textColumn('usedBy', t('column.usedBy'), 150, ({ usedBy }) => usedBy ?? ''),
    timeColumn('usedOn', t('column.usedOn'), 190, ({ usedOn }) => usedOn),
  ]
}
