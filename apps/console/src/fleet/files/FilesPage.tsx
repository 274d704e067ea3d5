// /unit/files: recordings and uploads of the group's channels, by date and name.
import type { ChannelFile } from '@backhaul/contract/nouns/files'
import { FilePeriod } from '@backhaul/contract/nouns/files'
import { NativeSelect } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { ListScreen } from '../../kit/ListScreen.tsx'
import { useFoundList } from '../../kit/lists.ts'
import { useGroups } from '../../people/groups/groups.ts'
import { setFilter, useFilter } from '../../session/preferences/preferences.ts'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { reasonText } from '../../texts/generic.ts'
import { figureColumn, textColumn, timeColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { compareTexts, sizeText } from '../../ui/locale.ts'
import { useListDialog } from '../../ui/use-list-dialog.ts'
import { FileDialog } from './FileDialog.tsx'
import { files, periodOf, publishFile, removeFile, shownAtMost } from './files.ts'
import { RenameDialog } from './RenameDialog.tsx'

/** Files arrive by themselves. */
const refreshMs = 10_000

export function FilesPage() {
  const { t } = useTranslation('files')
  const filter = useFilter('files')
  const { current } = useGroups()
  const [mayDelete, mayOperate] = [useMay('deleteFiles'), useMay('operateUnits')]
  const columns = useMemo(() => columnsOf(t), [t])
  const period = periodOf(filter)
  const list = useFoundList(files, filter.text, [current?.uid ?? '', period], {
    isAsked: current !== null,
    everyMs: refreshMs,
  })
  const { total = 0, asked } = list.answer ?? {}
  const { over, open, close } = useListDialog<ChannelFile, 'delete' | 'publish' | 'rename'>(list.store)
  const isNarrowed = filter.text.trim() !== '' || period !== 'all'
  return (
    <ListScreen
      {...list}
      gridId="files"
      search={{
        label: t('search'),
        text: filter.text,
        onText: (text) => setFilter('files', { ...filter, text }),
      }}
      actions={
        <>
          {total > shownAtMost ? <span className="quiet">{t('more', { count: shownAtMost })}</span> : null}
          <FilterButton />
        </>
      }
      notice={filter.open ? <PeriodFilter period={period} /> : null}
      label={t('title')}
      columns={columns}
      defaultCompare={byNewest}
      asked={asked}
      onOpen={(id) => open('edit', id)}
      rowMenu={(id) => [
        { id: 'open', label: t('open'), run: () => open('edit', id) },
        {
          id: 'rename',
          label: t('rename'),
          run: () => open('rename', id),
          refusal: mayOperate ? undefined : reasonText('role.notAllowed'),
        },
        {
          id: 'publish',
          label: t('publish'),
          run: () => open('publish', id),
          refusal: mayOperate ? undefined : reasonText('role.notAllowed'),
        },
        {
          id: 'remove',
          label: t('remove'),
          run: () => open('delete', id),
          refusal: mayDelete ? undefined : reasonText('file.deleteNotAllowed'),
          danger: true,
        },
      ]}
      empty={t(isNarrowed ? 'noMatch' : 'empty', { returnObjects: true })}
      noMatch={t('noMatch', { returnObjects: true })}
      exportName="files"
    >
      {over?.kind === 'edit' && over.item ? <FileDialog file={over.item} onClose={close} /> : null}
      {over?.kind === 'rename' ? <RenameDialog file={over.item} onClose={close} /> : null}
      {over?.kind === 'publish' ? <PublishDialog file={over.item} onClose={close} /> : null}
      {over?.kind === 'delete' ? (
        <ConfirmDialog
          title={t('removeTitle', { name: over.item.fileName })}
          text={t('removeText')}
          okLabel={t('remove')}
          run={() => removeFile(over.item.fileId)}
          done={{ title: t('removed'), text: over.item.fileName }}
          onClose={close}
        />
      ) : null}
    </ListScreen>
  )
}

function PublishDialog({ file, onClose }: { file: ChannelFile; onClose: () => void }) {
  const { t } = useTranslation('files')
  return (
    <ConfirmDialog
      title={t('publishTitle', { name: file.fileName })}
      text={t('publishText')}
      okLabel={t('publish')}
      isHarmless
      run={() => publishFile(file.fileId)}
      done={{ title: t('published'), text: file.fileName }}
      onClose={onClose}
    />
  )
}

function FilterButton() {
  const { t } = useTranslation('files')
  const filter = useFilter('files')
  return (
    <button
      type="button"
      className="plain-button tool-button"
      aria-expanded={filter.open}
      data-tip={t('filters')}
      onClick={() => setFilter('files', { ...filter, open: !filter.open })}
    >
      <IconAdjustmentsHorizontal size={16} aria-hidden />
      <span className="tool-word">{t('filters')}</span>
    </button>
  )
}

function PeriodFilter({ period }: { period: FilePeriod }) {
  const { t } = useTranslation('files')
  const filter = useFilter('files')
  return (
    <div className="filter-bar">
      <NativeSelect
        size="xs"
        label={t('period.label')}
        value={period}
        onChange={({ currentTarget: { value } }) =>
          setFilter('files', { ...filter, chosen: { ...filter.chosen, period: [value] } })
        }
        data={FilePeriod.options.map((value) => ({ value, label: t(`period.${value}`) }))}
      />
    </div>
  )
}

const byNewest = (a: ChannelFile, b: ChannelFile): number => compareTexts(b.lastModified, a.lastModified)

function columnsOf(t: TFunction<'files'>): readonly GridColumn<ChannelFile>[] {
  return [
    textColumn('fileName', t('column.fileName'), 260, ({ fileName }) => fileName, { required: true }),
    textColumn('luName', t('column.luName'), 180, ({ luName }) => luName || t('noUnit')),
    textColumn('mmhName', t('column.mmhName'), 180, ({ mmhName }) => mmhName),
    timeColumn('lastModified', t('column.lastModified'), 190, ({ lastModified }) => lastModified),
    figureColumn('size', t('column.size'), 100, ({ sizeBytes }) => sizeBytes, {
      text: ({ sizeBytes }) => sizeText(sizeBytes),
    }),
    textColumn('state', t('column.state'), 120, ({ isTransferring }) =>
      t(isTransferring ? 'state.transferring' : 'state.done'),
    ),
    textColumn('source', t('column.source'), 110, ({ rootDirectory }) => t(`root.${rootDirectory}`)),
    textColumn('format', t('column.format'), 80, ({ format }) => format ?? ''),
  ]
}
