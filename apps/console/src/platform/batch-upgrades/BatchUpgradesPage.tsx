// /psg/batch_upgrade: a file of serial numbers and versions is checked line by line, run, and its report read.
import { BATCH_DEVICES_MAX, type BatchRow, batchColumns } from '@backhaul/contract/nouns/batch-upgrades'
import { Alert, FileButton, NativeSelect } from '@mantine/core'
import { IconFileSpreadsheet, IconPlayerPlay } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { useLayoutEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAct } from '../../kit/act.ts'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { ListScreen } from '../../kit/ListScreen.tsx'
import { givenReason, reasonText } from '../../texts/generic.ts'
import { figureColumn, textColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { statusColumn } from '../../ui/grid/status-column.tsx'
import { createKeyedStore } from '../../ui/keyed-store.ts'
import { dateAndTime } from '../../ui/locale.ts'
import { textFilter } from '../../ui/text-filter.ts'
import styles from './batch-upgrades.module.css'
import { checkFile, lookOf, runBatch, runnable, useBatch, useBatches } from './batch-upgrades.ts'

export function BatchUpgradesPage() {
  const { t } = useTranslation('batchUpgrades')
  const [id, open] = useState<string | null>(null)
  const { data: batch, errorText, again } = useBatch(id)
  const [text, setText] = useState('')
  const [asksToRun, setAsksToRun] = useState(false)
  const act = useAct()
  const [store] = useState(() => createKeyedStore<BatchRow>())
  useLayoutEffect(() => {
    store.replaceAll((batch?.rows ?? []).map((row) => [String(row.line), row]))
    store.flush()
  }, [store, batch])
  const columns = useMemo(() => columnsOf(t), [t])
  const matches = useMemo(() => textFilter(text, searched), [text])
  const take = (file: File | null) =>
    file &&
    void act.run(async () => {
      open(await checkFile(await file.text()))
      return undefined
    })
  const count = batch && batch.startedAt === null ? runnable(batch) : 0
  return (
    <ListScreen
      store={store}
      state={id !== null && errorText !== undefined ? 'error' : id !== null && !batch ? 'loading' : 'ready'}
      errorText={errorText}
      onRetry={() => void again()}
      gridId="batchUpgrades"
      label={t('title')}
      exportName="batch-upgrade"
      search={{ label: t('search'), text, onText: setText }}
      actions={
        <>
          <Earlier chosen={id} onChoose={open} />
          <FileButton accept=".csv,text/csv" onChange={take}>
            {(button) => (
              <button type="button" className="plain-button tool-button" disabled={act.busy} {...button}>
                <IconFileSpreadsheet size={16} aria-hidden />
                <span>{t('choose')}</span>
              </button>
            )}
          </FileButton>
          {batch && batch.startedAt === null ? (
            <RunBatch count={count} onPress={() => setAsksToRun(true)} />
          ) : null}
        </>
      }
      notice={
        <div className={styles.batchNotice} role="status">
          {act.words ? <Alert color="red">{act.words}</Alert> : null}
          <p className="quiet">
            {batch
              ? t(batch.startedAt === null ? 'checked' : 'started', {
                  count: batch.rows.length,
                  by: batch.by,
                  at: dateAndTime(new Date(batch.startedAt ?? batch.createdAt)),
                })
              : t('lead', { columns: batchColumns.join(','), most: BATCH_DEVICES_MAX })}
          </p>
        </div>
      }
      columns={columns}
      defaultCompare={(a, b) => a.line - b.line}
      filter={matches}
      empty={t('empty', { returnObjects: true })}
      noMatch={t('noMatch', { returnObjects: true })}
    >
      {asksToRun && batch ? (
        <ConfirmDialog
          title={t('runTitle', { count })}
          text={t('runText')}
          okLabel={t('run', { count })}
          run={() => runBatch(batch.id).then(() => undefined)}
          done={{ title: t('running'), text: t('devices', { count }) }}
          onClose={() => setAsksToRun(false)}
        />
      ) : null}
    </ListScreen>
  )
}

function RunBatch({ count, onPress }: { count: number; onPress: () => void }) {
  const { t } = useTranslation('batchUpgrades')
  return (
    <button
      type="button"
      className="plain-button tool-button"
      disabled={count === 0}
      data-tip={count === 0 ? reasonText('batch.nothing') : undefined}
      onClick={onPress}
    >
      <IconPlayerPlay size={16} aria-hidden />
      <span>{t('run', { count })}</span>
    </button>
  )
}

/** The files before this one; nothing while there are none. */
function Earlier({ chosen, onChoose }: { chosen: string | null; onChoose: (id: string | null) => void }) {
  const { t } = useTranslation('batchUpgrades')
  const { data } = useBatches()
  if (!data || data.items.length === 0) return null
  return (
    <NativeSelect
      size="xs"
      aria-label={t('earlier')}
      value={chosen ?? ''}
      onChange={({ currentTarget }) => onChoose(currentTarget.value || null)}
      data={[
        { value: '', label: t('earlier') },
        ...data.items.map(({ id, createdAt, startedAt, devices }) => ({
          value: id,
          label: [
            dateAndTime(new Date(startedAt ?? createdAt)),
            t('devices', { count: devices }),
            ...(startedAt === null ? [t('unstarted')] : []),
          ].join(', '),
        })),
      ]}
    />
  )
}

const searched = ({ serialNumber, name, targetVersion }: BatchRow) => [serialNumber, name, targetVersion]

const why = (row: BatchRow): string =>
  [givenReason(row), ...row.warnings.map(reasonText)].filter(Boolean).join(' ')

function columnsOf(t: TFunction<'batchUpgrades'>): readonly GridColumn<BatchRow>[] {
  return [
    figureColumn('line', t('column.line'), 80, ({ line }) => line),
    textColumn('serialNumber', t('column.serialNumber'), 170, ({ serialNumber }) => serialNumber, {
      required: true,
    }),
    textColumn('name', t('column.name'), 200, ({ name }) => name),
    textColumn('swVersion', t('column.swVersion'), 130, ({ swVersion }) => swVersion),
    textColumn('targetVersion', t('column.targetVersion'), 130, ({ targetVersion }) => targetVersion),
    statusColumn(
      'state',
      t('column.state'),
      150,
      ({ state }) => t(`state.${state}`),
      ({ state }) => lookOf(state),
    ),
    textColumn('reason', t('column.reason'), 380, why),
  ]
}
